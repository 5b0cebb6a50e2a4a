package io.dedupstore.examples;

/** The demo cannot start as it was called; the message is for the person who called it and quotes no payload. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Explains.
     *
     * @param message what is wrong with the call
     */
    public UsageException(String message) {
        super(message);
    }
}
