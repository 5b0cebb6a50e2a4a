package io.dedupstore;

import java.util.Objects;
import java.util.UUID;

/**
 * The answer to a joined claim, in the caller's own transaction. It is final only when the caller has committed: make the
 * business change after {@link Claimed}, skip it after {@link Duplicate}, and acknowledge after the commit. A payload
 * conflict is thrown as {@link PayloadConflictException}, so that it cannot be overlooked.
 */
public sealed interface ClaimResult {
    /**
     * The key was free; its claim is now part of the caller's transaction.
     *
     * @param claimId the id of the new claim
     */
    record Claimed(UUID claimId) implements ClaimResult {
        /**
         * Refuses null.
         *
         * @param claimId the id of the new claim
         */
        public Claimed {
            Objects.requireNonNull(claimId, "claimId");
        }
    }

    /**
     * The key was claimed before with the same payload, by another transaction or earlier in this one.
     *
     * @param stored the claim that was found
     */
    record Duplicate(Claim stored) implements ClaimResult {
        /**
         * Refuses null.
         *
         * @param stored the claim that was found
         */
        public Duplicate {
            Objects.requireNonNull(stored, "stored");
        }
    }
}
