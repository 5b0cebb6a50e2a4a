package io.dedupstore;

import org.jspecify.annotations.Nullable;

/**
 * Any failure that the store itself reports. When it is thrown by an owned claim, the transaction has been rolled back,
 * except where a subclass says that this is unknown.
 *
 * <p>Messages name keys, hashes, SQL states and vendor codes, never a payload, a password or a server's message, which
 * may quote row values (rule E6); causes that are SQL exceptions of the store's own statements are copies without the
 * server's text.
 */
public abstract class DedupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * For subclasses.
     *
     * @param message what happened and what to do
     * @param cause the cause, if there is one
     */
    protected DedupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** {@return what a consumer does with the message} */
    public abstract Disposition disposition();
}
