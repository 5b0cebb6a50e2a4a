package io.dedupstore.spi;

import io.dedupstore.Claim;

/** What the database said to a claim. */
public sealed interface ClaimAnswer {
    /** The key was free and is now claimed, in the open transaction. */
    ClaimAnswer CLAIMED = Simple.CLAIMED;

    /** The key was taken, and its claim was gone when it was read: purged in between. The engine asks again (rule W5). */
    ClaimAnswer VANISHED = Simple.VANISHED;

    /**
     * The key is taken. The dialect must have read the claim itself, not guessed from a count.
     *
     * @param claim the claim that stands there
     */
    record Taken(Claim claim) implements ClaimAnswer {}

    /** The answers without content. */
    enum Simple implements ClaimAnswer {
        /** See {@link ClaimAnswer#CLAIMED}. */
        CLAIMED,
        /** See {@link ClaimAnswer#VANISHED}. */
        VANISHED
    }
}
