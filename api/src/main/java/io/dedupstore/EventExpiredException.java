package io.dedupstore;

/**
 * The event is older than what has been purged, so that a claim of it may have been deleted: applying it could be the
 * second time (rule P4).
 */
public final class EventExpiredException extends DedupException {
    private static final long serialVersionUID = 1L;

    /**
     * Made by the engine.
     *
     * @param message the event's key and time, and up to which time claims were purged
     */
    public EventExpiredException(String message) {
        super(message, null);
    }

    @Override
    public Disposition disposition() {
        return Disposition.QUARANTINE;
    }
}
