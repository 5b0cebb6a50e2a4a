package io.dedupstore.internal;

import io.dedupstore.DedupException;
import io.dedupstore.EventKey;
import io.dedupstore.TransientStoreException;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Says why work that returned normally is not committed (A3). */
final class Refusal {
    private Refusal() {}

    static DedupException of(EventKey key, ConnectionGuard guard, @Nullable SQLException swallowed, FailureKind kind) {
        String work = "The work of event " + key;
        if (guard.misuse() != null) {
            return new WorkFailedException(
                    work + " tried to " + guard.misuse() + ". The store owns the transaction: let the work only change"
                            + " data and return, or throw to undo it. All was rolled back.",
                    null);
        }
        if (swallowed == null) {
            return new WorkFailedException(
                    work + " returned, but its transaction had ended or failed under it: it used the driver's own"
                            + " connection to end it, or swallowed a failure there. All that could be was rolled back.",
                    null);
        }
        if (kind.reason() != null) {
            return new TransientStoreException(
                    kind.reason(),
                    work + " swallowed a failure (" + Redacted.describe(swallowed) + "): "
                            + Failures.sentence(kind.reason()) + " All was rolled back.",
                    Redacted.copy(swallowed));
        }
        return new WorkFailedException(
                work + " swallowed a failure that broke its transaction (" + Redacted.describe(swallowed)
                        + "). Let it through, or roll back to a savepoint set before it. All was rolled back.",
                Redacted.copy(swallowed));
    }
}
