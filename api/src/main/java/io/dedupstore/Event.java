package io.dedupstore;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of an event, as a consumer hands it to the store: the key, the payload's hash and what the broker told.
 * Immutable; the {@code with}-like methods return a changed copy.
 */
public final class Event {
    private final EventKey key;
    private final PayloadHash hash;
    private final List<PayloadHash> olderHashes;
    private final @Nullable Instant occurredAt;
    private final boolean redelivered;

    private Event(
            EventKey key,
            PayloadHash hash,
            List<PayloadHash> olderHashes,
            @Nullable Instant occurredAt,
            boolean redelivered) {
        this.key = Objects.requireNonNull(key, "key");
        this.hash = Objects.requireNonNull(hash, "hash");
        this.olderHashes = olderHashes;
        this.occurredAt = occurredAt;
        this.redelivered = redelivered;
    }

    /**
     * An event that is delivered for the first time, as far as is known.
     *
     * @param key its identity
     * @param hash the hash of its payload
     * @return the event
     */
    public static Event of(EventKey key, PayloadHash hash) {
        return new Event(key, hash, List.of(), null, false);
    }

    /**
     * Says when the event happened, by its producer. A store that purges old claims uses it to refuse an event older
     * than what has been purged (rule P4).
     *
     * @param instant when it happened
     * @return the changed event
     */
    public Event occurredAt(Instant instant) {
        return new Event(key, hash, olderHashes, Objects.requireNonNull(instant, "instant"), redelivered);
    }

    /**
     * Says whether the broker marked this delivery as a repeated one. It is a hint for speed only: a redelivered event is
     * looked up first, with one read and no transaction, because it is probably a duplicate. A wrong hint never changes an
     * outcome.
     *
     * @param hint the broker's mark
     * @return the changed event
     */
    public Event redelivered(boolean hint) {
        return new Event(key, hash, olderHashes, occurredAt, hint);
    }

    /**
     * Adds the same payload's hashes under older schemes, for the time in which claims made under those are still stored.
     * The hash whose scheme is the stored one decides (rule C6). New claims always store {@link #hash()}.
     *
     * @param hashes the hashes under other schemes
     * @return the changed event
     * @throws InvalidEventException if two hashes have the same scheme
     */
    public Event alsoHashedAs(PayloadHash... hashes) {
        List<PayloadHash> all = new ArrayList<>(olderHashes);
        for (PayloadHash older : hashes) {
            Objects.requireNonNull(older, "hashes");
            boolean taken = hash.scheme().equals(older.scheme())
                    || all.stream().anyMatch(other -> other.scheme().equals(older.scheme()));
            if (taken) {
                throw new InvalidEventException(
                        "Event " + key + " has two hashes of the scheme " + older.scheme() + "; give one per scheme.");
            }
            all.add(older);
        }
        return new Event(key, hash, Collections.unmodifiableList(all), occurredAt, redelivered);
    }

    /** {@return the event's identity} */
    public EventKey key() {
        return key;
    }

    /** {@return the hash that a new claim of this event stores} */
    public PayloadHash hash() {
        return hash;
    }

    /** {@return when the event happened, if it was said} */
    public Optional<Instant> occurredAt() {
        return Optional.ofNullable(occurredAt);
    }

    /** {@return whether the broker marked this delivery as a repeated one} */
    public boolean redelivered() {
        return redelivered;
    }

    /**
     * This event's hash under one scheme.
     *
     * @param scheme a scheme's name, as stored with a claim
     * @return the hash, or empty if this event carries none of that scheme
     */
    public Optional<PayloadHash> hashUnder(String scheme) {
        if (hash.scheme().equals(scheme)) {
            return Optional.of(hash);
        }
        return olderHashes.stream()
                .filter(older -> older.scheme().equals(scheme))
                .findFirst();
    }

    /** {@return key, hash and hints; never a payload} */
    @Override
    public String toString() {
        return "Event[" + key + ", " + hash + (redelivered ? ", redelivered]" : "]");
    }
}
