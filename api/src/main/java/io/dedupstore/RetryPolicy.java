package io.dedupstore;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often an owned claim's whole transaction is run again after a transient failure (rule R1): at most
 * {@link #attempts()} times in all, and never beginning after {@link #deadline()} from the first. Between two attempts
 * the caller's thread pauses for a random time between zero and a bound that doubles from {@link #firstPause()} to
 * {@link #longestPause()} (full jitter), so that the victims of one deadlock do not meet again.
 *
 * <p>The deadline also bounds how long a commit in doubt is asked after (rule R3), whatever the attempts.
 *
 * @param attempts most runs of the transaction, at least 1
 * @param firstPause bound of the first pause
 * @param longestPause bound of every pause
 * @param deadline time from the first attempt after which none begins
 */
public record RetryPolicy(int attempts, Duration firstPause, Duration longestPause, Duration deadline) {
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final RetryPolicy DEFAULTS =
            new RetryPolicy(8, Duration.ofMillis(10), Duration.ofMillis(500), Duration.ofSeconds(15));

    /**
     * Checks the bounds.
     *
     * @param attempts most runs of the transaction
     * @param firstPause bound of the first pause
     * @param longestPause bound of every pause
     * @param deadline time from the first attempt after which none begins
     * @throws IllegalArgumentException if there is no attempt, or a duration is negative or longer than 365 days
     */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts is " + attempts + "; at least 1 is needed, the first run.");
        }
        requireSensible("firstPause", firstPause);
        requireSensible("longestPause", longestPause);
        requireSensible("deadline", deadline);
    }

    private static void requireSensible(String name, Duration duration) {
        if (Objects.requireNonNull(duration, name).isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + duration + "; it must be from 0 to 365 days.");
        }
    }

    /** {@return 8 attempts, pauses up to 10 ms growing to 500 ms, within 15 s} */
    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    /** {@return the defaults with a single attempt: a transient failure is reported at once} */
    public static RetryPolicy none() {
        return DEFAULTS.withAttempts(1);
    }

    /**
     * Changes the number of attempts.
     *
     * @param most most runs of the transaction
     * @return the changed policy
     */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, firstPause, longestPause, deadline);
    }

    /**
     * Changes the pauses.
     *
     * @param first bound of the first pause
     * @param longest bound of every pause
     * @return the changed policy
     */
    public RetryPolicy withPauses(Duration first, Duration longest) {
        return new RetryPolicy(attempts, first, longest, deadline);
    }

    /**
     * Changes the deadline.
     *
     * @param total time from the first attempt after which none begins
     * @return the changed policy
     */
    public RetryPolicy withDeadline(Duration total) {
        return new RetryPolicy(attempts, firstPause, longestPause, total);
    }

    /**
     * Draws the pause after a failed attempt.
     *
     * @param failed how many attempts have failed, from 1
     * @return a random time from zero up to this attempt's bound
     */
    public Duration pauseAfter(int failed) {
        long longest = longestPause.toNanos();
        int doublings = Math.min(Math.max(failed, 1) - 1, 62);
        long first = firstPause.toNanos();
        // beyond this many doublings the bound has long been reached, and the shift would overflow
        long bound = first > longest >> doublings ? longest : first << doublings;
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(bound + 1));
    }
}
