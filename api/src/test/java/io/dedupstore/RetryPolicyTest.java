package io.dedupstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    private static final Duration MS = Duration.ofMillis(1);
    private static final int DRAWS = 2000;

    /** The longest and the shortest of many pauses. */
    private static Duration[] extremes(RetryPolicy policy, int failed) {
        Duration longest = Duration.ZERO;
        Duration shortest = Duration.ofSeconds(Long.MAX_VALUE);
        for (int i = 0; i < DRAWS; i++) {
            Duration pause = policy.pauseAfter(failed);
            longest = pause.compareTo(longest) > 0 ? pause : longest;
            shortest = pause.compareTo(shortest) < 0 ? pause : shortest;
        }
        return new Duration[] {shortest, longest};
    }

    /** Of 2000 draws none is in the top or the bottom tenth with a probability of 0.9^2000, that is never. */
    @ParameterizedTest
    @CsvSource({"1, 10", "2, 20", "3, 40", "4, 80", "5, 160", "6, 320", "7, 500", "8, 500", "60, 500", "0, 10", "-5, 10"
    })
    void r1_pausesAreSpreadFromZeroToABoundThatDoublesUpToTheLongest(int failed, long bound) {
        Duration[] seen = extremes(RetryPolicy.defaults(), failed);
        assertThat(seen[0]).isBetween(Duration.ZERO, MS.multipliedBy(bound).dividedBy(10));
        assertThat(seen[1]).isBetween(MS.multipliedBy(bound).multipliedBy(9).dividedBy(10), MS.multipliedBy(bound));
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 100, 1_000_000, Integer.MAX_VALUE})
    void r1_theBoundDoesNotOverflowAfterManyAttempts(int failed) {
        Duration[] seen = extremes(RetryPolicy.defaults(), failed);
        assertThat(seen[0]).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(seen[1]).isBetween(Duration.ofMillis(450), Duration.ofMillis(500));
    }

    @Test
    void r1_aFirstPauseOverTheLongestIsCut() {
        RetryPolicy policy = RetryPolicy.defaults().withPauses(Duration.ofHours(1), MS);
        assertThat(extremes(policy, 1)[1]).isLessThanOrEqualTo(MS);
        assertThat(extremes(policy, 9)[1]).isLessThanOrEqualTo(MS);
    }

    @Test
    void r1_noPauseIsPossible() {
        RetryPolicy policy = RetryPolicy.defaults().withPauses(Duration.ZERO, Duration.ZERO);
        assertThat(extremes(policy, 1)[1]).isZero();
        assertThat(extremes(policy, 70)[1]).isZero();
        assertThat(RetryPolicy.defaults().withPauses(Duration.ZERO, MS).pauseAfter(70))
                .isZero();
    }

    @Test
    void r1_longPausesDoNotOverflow() {
        RetryPolicy policy = RetryPolicy.defaults().withPauses(Duration.ofDays(1), Duration.ofDays(365));
        for (int failed : new int[] {1, 2, 17, 18, 40, 64}) {
            assertThat(policy.pauseAfter(failed)).isBetween(Duration.ZERO, Duration.ofDays(365));
        }
        assertThat(extremes(policy, 64)[1]).isGreaterThan(Duration.ofDays(180));
    }

    @Test
    void r1_durationsThatOverflowAreRefused() {
        RetryPolicy policy = RetryPolicy.defaults();
        Duration forever = java.time.temporal.ChronoUnit.FOREVER.getDuration();
        assertThatThrownBy(() -> policy.withPauses(MS, forever)).hasMessageContaining("longestPause");
        assertThatThrownBy(() -> policy.withDeadline(forever)).hasMessageContaining("365 days");
    }

    @Test
    void r1_theDefaultsAreBounded() {
        RetryPolicy defaults = RetryPolicy.defaults();
        assertThat(defaults)
                .isEqualTo(new RetryPolicy(8, Duration.ofMillis(10), Duration.ofMillis(500), Duration.ofSeconds(15)));
        assertThat(RetryPolicy.none()).isEqualTo(defaults.withAttempts(1));
        assertThat(RetryPolicy.none().attempts()).isEqualTo(1);
    }

    @Test
    void aChangeKeepsTheRest() {
        RetryPolicy policy = RetryPolicy.defaults()
                .withAttempts(3)
                .withPauses(MS, Duration.ofMillis(7))
                .withDeadline(Duration.ofSeconds(2));
        assertThat(policy).isEqualTo(new RetryPolicy(3, MS, Duration.ofMillis(7), Duration.ofSeconds(2)));
        assertThat(RetryPolicy.defaults().attempts()).isEqualTo(8);
    }

    @Test
    void wrongBoundsAreRefused() {
        RetryPolicy policy = RetryPolicy.defaults();
        Duration negative = Duration.ofNanos(-1);
        assertThatThrownBy(() -> policy.withAttempts(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> policy.withAttempts(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> policy.withPauses(negative, MS)).hasMessageContaining("firstPause");
        assertThatThrownBy(() -> policy.withPauses(MS, negative)).hasMessageContaining("longestPause");
        assertThatThrownBy(() -> policy.withDeadline(negative)).hasMessageContaining("deadline");
        assertThatThrownBy(() -> policy.withDeadline(null)).isInstanceOf(NullPointerException.class);
    }
}
