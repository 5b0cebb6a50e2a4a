package io.dedupstore;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Another transaction held the key for longer than the wait bound, {@link DedupStore.Builder#lockWait}. Whether it will
 * commit is not known, so this is never a duplicate (rule W2).
 */
public final class ClaimInFlightException extends TransientStoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param key whose claim it is
     * @param lockWait the bound
     * @param cause the database's error
     */
    public ClaimInFlightException(EventKey key, Duration lockWait, @Nullable Throwable cause) {
        super(
                Reason.LOCK_TIMEOUT,
                "Event " + key + " waited longer than the bound of " + lockWait.toMillis()
                        + " ms for another transaction. Leave the message unacknowledged; raise lockWait if the work"
                        + " normally takes longer than that.",
                cause);
    }
}
