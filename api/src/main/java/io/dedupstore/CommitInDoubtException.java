package io.dedupstore;

import org.jspecify.annotations.Nullable;

/**
 * The commit was sent, its answer did not come, and until the deadline the database could not be asked. The event may or
 * may not be applied. Never acknowledge it: the next delivery finds out.
 */
public final class CommitInDoubtException extends TransientStoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param key whose commit is in doubt
     * @param cause the last failure
     */
    public CommitInDoubtException(EventKey key, @Nullable Throwable cause) {
        super(
                Reason.IN_DOUBT,
                "Event " + key + " was sent to be committed, the answer was lost, and the database could not be asked"
                        + " again in time. Leave the message unacknowledged; its next delivery finds out.",
                cause);
    }
}
