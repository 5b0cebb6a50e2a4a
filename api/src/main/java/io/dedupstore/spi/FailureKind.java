package io.dedupstore.spi;

import io.dedupstore.TransientStoreException.Reason;
import org.jspecify.annotations.Nullable;

/** What a {@link java.sql.SQLException} means, told by vendor codes and never by message texts (rule E1). */
public enum FailureKind {
    /** The transaction was chosen as a deadlock's victim. */
    DEADLOCK(Reason.DEADLOCK, true),
    /** The transaction cannot go on from its snapshot. */
    SERIALIZATION(Reason.SERIALIZATION, true),
    /** A lock was not had in time. */
    LOCK_TIMEOUT(Reason.LOCK_TIMEOUT, true),
    /** Another writer keeps the database busy. */
    BUSY(Reason.BUSY, true),
    /** The connection is broken or could not be opened; while committing this means: in doubt. */
    CONNECTION(Reason.CONNECTION, true),
    /** The server takes no writes now. */
    READ_ONLY(Reason.READ_ONLY, true),
    /** The statement was cancelled or timed out. */
    TIMEOUT(Reason.TIMEOUT, true),
    /** The database is out of room. Running the same again at once would not help. */
    RESOURCES(Reason.RESOURCES, false),
    /** A constraint refused a row. */
    CONSTRAINT(null, false),
    /** The database is not set up for what was asked: a missing table, missing rights. */
    CONFIGURATION(null, false),
    /** Anything else. */
    OTHER(null, false);

    private final @Nullable Reason reason;
    private final boolean retried;

    FailureKind(@Nullable Reason reason, boolean retried) {
        this.reason = reason;
        this.retried = retried;
    }

    /** {@return the reason that is told the user, or null if the kind is not transient} */
    public @Nullable Reason reason() {
        return reason;
    }

    /** {@return whether an owned transaction is run again after it (rule R1)} */
    public boolean retried() {
        return retried;
    }
}
