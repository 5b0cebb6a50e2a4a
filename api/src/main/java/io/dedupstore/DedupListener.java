package io.dedupstore;

import java.time.Duration;
import java.util.UUID;

/**
 * Told what a store does, for metrics and alarms. Calls come on the consumer's thread, outside of any transaction unless
 * said otherwise, and must be quick. What a listener throws is logged and changes nothing. An implementation must be safe
 * for any number of threads.
 */
public interface DedupListener {
    /** A listener that ignores everything. */
    DedupListener NONE = new DedupListener() {};

    /**
     * An event was applied: its claim and its effect are committed.
     *
     * @param event the event
     * @param claimId the stored claim's id
     * @param took from the call to the commit, retries included
     */
    default void applied(Event event, UUID claimId, Duration took) {}

    /**
     * An event had been applied before.
     *
     * @param event the event
     * @param stored the claim that was found
     */
    default void duplicate(Event event, Claim stored) {}

    /**
     * An event came with another payload than the one that was applied under its key.
     *
     * @param event the event
     * @param conflict what is thrown to the caller
     */
    default void conflict(Event event, PayloadConflictException conflict) {}

    /**
     * The database answered a claim. Called for every claim, in its transaction: almost all of this time is the wait for
     * another holder of the key, if there was one, else it is one round trip.
     *
     * @param event the event
     * @param waited from asking to the answer, or to the bound
     */
    default void lockWait(Event event, Duration waited) {}

    /**
     * A transaction failed for a transient reason and will be run again.
     *
     * @param event the event
     * @param failedAttempts how many attempts have failed
     * @param pause how long the thread pauses before the next
     * @param failure why the last one failed
     */
    default void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {}

    /**
     * A commit's answer was lost; the store is about to find out whether it happened.
     *
     * @param event the event
     * @param claimId the id that the claim has if it was committed
     */
    default void inDoubt(Event event, UUID claimId) {}

    /**
     * A call ended with an exception, of the store or of the work.
     *
     * @param event the event
     * @param failure what is thrown to the caller, or was turned into the disposition
     * @param disposition what a consumer does with the message
     */
    default void failed(Event event, Throwable failure, Disposition disposition) {}
}
