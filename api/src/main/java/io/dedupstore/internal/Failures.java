package io.dedupstore.internal;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupException;
import io.dedupstore.EventKey;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.time.Duration;

/** Turns what a driver throws into what a user is told. */
final class Failures {
    /** Causes are walked this deep, so that a cycle ends. */
    static final int DEEPEST_CAUSE = 16;

    private final DedupDialect dialect;
    private final Duration lockWait;

    Failures(DedupDialect dialect, Duration lockWait) {
        this.dialect = dialect;
        this.lockWait = lockWait;
    }

    /** The first kind that says something, down the causes and along the chains of SQL exceptions (E1). */
    FailureKind kindOf(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < DEEPEST_CAUSE; t = t.getCause(), depth++) {
            SQLException sql = t instanceof SQLException first ? first : null;
            for (int chained = 0; sql != null && chained < DEEPEST_CAUSE; sql = sql.getNextException(), chained++) {
                FailureKind kind = dialect.classify(sql);
                if (kind != FailureKind.OTHER) {
                    return kind;
                }
            }
        }
        return FailureKind.OTHER;
    }

    /** A failure of the claim's own statements, or of opening its transaction. */
    DedupException whileClaiming(EventKey key, Throwable failure) {
        FailureKind kind = kindOf(failure);
        if (kind == FailureKind.LOCK_TIMEOUT) {
            return new ClaimInFlightException(key, lockWait, Redacted.copy(failure));
        }
        return because(kind, "Event " + key + " could not be claimed", failure);
    }

    /** No connection was had: transient, unless the database itself answered that it never will. */
    DedupException whileConnecting(String what, Throwable failure) {
        FailureKind kind = kindOf(failure);
        return because(kind == FailureKind.CONFIGURATION ? kind : FailureKind.CONNECTION, what, failure);
    }

    /** A failure of any other kind of statement of the store. */
    DedupException because(FailureKind kind, String what, Throwable failure) {
        String where = what + " on " + dialect.name() + " (" + Redacted.describe(failure) + ")";
        Reason reason = kind.reason();
        if (reason != null) {
            return new TransientStoreException(
                    reason, where + ": " + sentence(reason) + " Nothing was committed.", Redacted.copy(failure));
        }
        return switch (kind) {
            case CONFIGURATION ->
                new StoreConfigurationException(
                        where + ": the database or the table " + dialect.table()
                                + " is missing, not writable, of another"
                                + " shape, or this user lacks rights on it. Run store.schema().create(), or apply the"
                                + " module's schema.sql; store.schema().validate() then says what is still wrong.",
                        Redacted.copy(failure));
            case CONSTRAINT ->
                new StoreConfigurationException(
                        where + ": a constraint other than the key refused the row. The table " + dialect.table()
                                + " must have no constraint or trigger beyond schema.sql; remove it.",
                        Redacted.copy(failure));
            default ->
                new TransientStoreException(
                        Reason.UNKNOWN,
                        where + ": the database reported something unexpected. Nothing was committed.",
                        Redacted.copy(failure));
        };
    }

    static String sentence(Reason reason) {
        return switch (reason) {
            case DEADLOCK -> "the transaction was a deadlock's victim.";
            case SERIALIZATION -> "the isolation level forbids to go on; the whole transaction has to run again.";
            case LOCK_TIMEOUT -> "a lock was not had in time.";
            case BUSY -> "another writer keeps the database busy.";
            case CONNECTION -> "no connection, or it broke; check that the database runs and the pool is open.";
            case READ_ONLY -> "the server takes no writes now.";
            case TIMEOUT -> "a statement was cancelled or ran out of its time.";
            case RESOURCES -> "the database is out of room; free disk or raise the quota.";
            case INTERRUPTED -> "the thread was interrupted.";
            case IN_DOUBT -> "the commit's answer was lost.";
            case UNKNOWN -> "the database reported something unexpected.";
        };
    }
}
