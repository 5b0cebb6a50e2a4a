package io.dedupstore;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How an owned claim ended when nothing went wrong. Both outcomes mean that the event's effect is committed: acknowledge.
 *
 * @param <R> what the work returns
 */
public sealed interface Outcome<R extends @Nullable Object> {
    /**
     * The work ran and was committed together with the claim; the commit is known to have succeeded (rule A2).
     *
     * @param claimId the id of the claim that was stored
     * @param result what the work returned
     * @param <R> what the work returns
     */
    record Applied<R extends @Nullable Object>(UUID claimId, R result) implements Outcome<R> {
        /**
         * Refuses a missing claim id; the result may be null if the work returned null.
         *
         * @param claimId the id of the claim that was stored
         * @param result what the work returned
         */
        public Applied {
            Objects.requireNonNull(claimId, "claimId");
        }

        /** {@return the claim id only: a result may hold business data} */
        @Override
        public String toString() {
            return "Applied[" + claimId + "]";
        }
    }

    /**
     * The event had been applied before; the work did not run.
     *
     * @param stored the claim that was found
     * @param <R> what the work would have returned
     */
    record Duplicate<R extends @Nullable Object>(Claim stored) implements Outcome<R> {
        /**
         * Refuses a missing claim.
         *
         * @param stored the claim that was found
         */
        public Duplicate {
            Objects.requireNonNull(stored, "stored");
        }
    }
}
