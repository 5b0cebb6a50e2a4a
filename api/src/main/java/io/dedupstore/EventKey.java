package io.dedupstore;

import io.dedupstore.internal.Text;

/**
 * The identity of an event for one consumer: what is unique in the store.
 *
 * <p>It is the identity of the business fact, never of its delivery: no delivery tag, receipt handle, message id of the
 * broker or offset. Two keys are equal only if every code point is (rule C4): nothing is trimmed, folded or normalised.
 *
 * @param tenant whose event it is, 1 to {@value #MAX_TENANT} code points
 * @param consumer who applies it, 1 to {@value #MAX_CONSUMER} code points; two consumers apply the same event once each
 * @param eventId the event's own id, 1 to {@value #MAX_EVENT_ID} code points
 */
public record EventKey(String tenant, String consumer, String eventId) {
    /** The tenant of keys that name none. */
    public static final String DEFAULT_TENANT = "default";

    /** Longest tenant, in code points. */
    public static final int MAX_TENANT = 64;

    /** Longest consumer, in code points. */
    public static final int MAX_CONSUMER = 128;

    /** Longest event id, in code points. */
    public static final int MAX_EVENT_ID = 255;

    /**
     * Checks all three parts, so that every database refuses the same keys before any SQL is sent (rule C5).
     *
     * @param tenant whose event it is
     * @param consumer who applies it
     * @param eventId the event's own id
     * @throws InvalidEventException if a part is null, empty or too long, or holds a NUL or half of a surrogate pair
     */
    public EventKey {
        Text.requireKeyPart("tenant", tenant, MAX_TENANT);
        Text.requireKeyPart("consumer", consumer, MAX_CONSUMER);
        Text.requireKeyPart("event id", eventId, MAX_EVENT_ID);
    }

    /**
     * A key of the {@link #DEFAULT_TENANT}.
     *
     * @param consumer who applies the event
     * @param eventId the event's own id
     * @return the key
     * @throws InvalidEventException if a part is not acceptable
     */
    public static EventKey of(String consumer, String eventId) {
        return new EventKey(DEFAULT_TENANT, consumer, eventId);
    }

    /**
     * A key of a named tenant.
     *
     * @param tenant whose event it is
     * @param consumer who applies the event
     * @param eventId the event's own id
     * @return the key
     * @throws InvalidEventException if a part is not acceptable
     */
    public static EventKey of(String tenant, String consumer, String eventId) {
        return new EventKey(tenant, consumer, eventId);
    }

    /** {@return the three parts for a log line; control characters are escaped so that an id cannot forge one} */
    @Override
    public String toString() {
        return Text.printable(tenant) + '/' + Text.printable(consumer) + '/' + Text.printable(eventId);
    }
}
