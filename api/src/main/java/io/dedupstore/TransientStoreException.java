package io.dedupstore;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The claim could not be brought to an end now, for a reason that is not the message's. Do not acknowledge; the message
 * may come again. In an owned claim the retries that {@link RetryPolicy} allows have been made; the earlier failures are
 * attached as suppressed. In a joined claim nothing was retried and nothing rolled back: the caller's whole transaction
 * has to be rolled back and run again.
 */
public class TransientStoreException extends DedupException {
    private static final long serialVersionUID = 1L;

    /** Why it failed. */
    private final Reason reason;

    /** Why it failed. */
    public enum Reason {
        /** Chosen as a deadlock's victim. */
        DEADLOCK,
        /** The isolation level forbids to go on from this snapshot. */
        SERIALIZATION,
        /** A lock was not had within its bound. */
        LOCK_TIMEOUT,
        /** The database is busy with another writer. */
        BUSY,
        /** No connection, or the connection broke before the commit. */
        CONNECTION,
        /** The server takes no writes, as after a failover. */
        READ_ONLY,
        /** A statement was cancelled or ran out of its time. */
        TIMEOUT,
        /** The database lacks room: a full disk, a quota, memory. */
        RESOURCES,
        /** The thread was interrupted; its flag is set. */
        INTERRUPTED,
        /** The commit was sent and its answer did not come. */
        IN_DOUBT,
        /** The database reported something that no rule knows; nothing was committed. */
        UNKNOWN
    }

    /**
     * Made by the engine.
     *
     * @param reason why it failed
     * @param message what happened and what to do
     * @param cause the cause, if there is one
     */
    public TransientStoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** {@return why it failed} */
    public Reason reason() {
        return reason;
    }

    @Override
    public Disposition disposition() {
        return Disposition.RETRY;
    }
}
