package io.dedupstore;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot work as it is set up: a missing or wrong table, missing rights, no module for the database, a
 * connection that cannot take part. The message says what to do. The event is not at fault.
 */
public final class StoreConfigurationException extends DedupException {
    private static final long serialVersionUID = 1L;

    /**
     * Made where the fault is found.
     *
     * @param message what is wrong and what to do
     */
    public StoreConfigurationException(String message) {
        this(message, null);
    }

    /**
     * Made where the fault is found.
     *
     * @param message what is wrong and what to do
     * @param cause the cause, if there is one
     */
    public StoreConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public Disposition disposition() {
        return Disposition.RETRY;
    }
}
