package io.dedupstore;

/** The event cannot be claimed on any database: a key or a payload that is not acceptable. No SQL was sent. */
public final class InvalidEventException extends DedupException {
    private static final long serialVersionUID = 1L;

    /**
     * Made where the event is built.
     *
     * @param message what is wrong, where, and what to do; never the value itself
     */
    public InvalidEventException(String message) {
        super(message, null);
    }

    @Override
    public Disposition disposition() {
        return Disposition.QUARANTINE;
    }
}
