package io.dedupstore;

import org.jspecify.annotations.Nullable;

/**
 * The work returned as if all were well, but its transaction could not be committed, and trying again would not help: it
 * swallowed a failure that broke the transaction, left rows that a constraint refuses at the commit, or tried to end the
 * transaction itself (rules A3, E3). Everything was rolled back, the claim included. Work that throws is not reported
 * this way: its own exception reaches the caller as it is.
 */
public final class WorkFailedException extends DedupException {
    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param message what the work did and what to do about it
     * @param cause the failure that it swallowed, without the server's text, if there is one
     */
    public WorkFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** {@return {@link Disposition#RETRY}, as for any exception of the work} */
    @Override
    public Disposition disposition() {
        return Disposition.RETRY;
    }
}
