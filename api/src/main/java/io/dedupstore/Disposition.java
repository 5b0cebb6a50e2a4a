package io.dedupstore;

import java.util.Objects;

/** What a consumer does with the message, once the store has answered. */
public enum Disposition {
    /** The effect is committed: acknowledge the message. */
    ACK,

    /** Nothing is known to be committed, or nothing is: leave the message unacknowledged, so that it comes again, later. */
    RETRY,

    /** The message itself cannot be applied, however often it comes: move it aside for a person to look at. */
    QUARANTINE;

    /**
     * What to do after an outcome.
     *
     * @param outcome the outcome of an owned claim
     * @return {@link #ACK}
     */
    public static Disposition of(Outcome<?> outcome) {
        Objects.requireNonNull(outcome, "outcome");
        return ACK;
    }

    /**
     * What to do after a failure. The work's own exceptions are retried; a store can be told which of them are permanent
     * ({@link DedupStore.Builder#permanentFailure}), which {@link DedupStore#consume} then regards.
     *
     * @param failure what {@link DedupStore#claimAndApply} threw
     * @return {@link DedupException#disposition()} of a store's error, else {@link #RETRY}
     */
    public static Disposition of(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        return failure instanceof DedupException error ? error.disposition() : RETRY;
    }
}
