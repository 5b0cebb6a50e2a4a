package io.dedupstore.examples;

import static io.dedupstore.examples.Mode.WITHOUT_CLAIM;
import static io.dedupstore.examples.Mode.WITH_CLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.Disposition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule by which the demo is judged, told by hand. */
class ExpectedTest {
    @Test
    void countsEveryCommitWithoutTheClaimAndTheFirstOneWithIt() {
        List<Delivery> killed = deliveries(Then.DIE_BEFORE_COMMIT, Then.DIE_AFTER_COMMIT, Then.ROLL_BACK, Then.ACK);

        assertThat(Expected.of(killed, WITHOUT_CLAIM))
                .containsExactly(
                        expected(Ending.KILLED, null, 10_000, 0),
                        expected(Ending.KILLED, null, 12_500, 1),
                        expected(Ending.ROLLED_BACK, Disposition.RETRY, 12_500, 1),
                        expected(Ending.APPLIED, Disposition.ACK, 15_000, 2));
        assertThat(Expected.of(killed, WITH_CLAIM))
                .containsExactly(
                        expected(Ending.KILLED, null, 10_000, 0),
                        expected(Ending.KILLED, null, 12_500, 1),
                        expected(Ending.DUPLICATE, Disposition.ACK, 12_500, 1),
                        expected(Ending.DUPLICATE, Disposition.ACK, 12_500, 1));
    }

    @Test
    void letsTheSecondConsumerEndBeforeTheOneThatWasOutrun() {
        assertThat(Expected.of(deliveries(Then.OUTRUN, Then.ACK, Then.ACK), WITH_CLAIM))
                .containsExactly(
                        expected(Ending.APPLIED, Disposition.ACK, 12_500, 1),
                        expected(Ending.IN_FLIGHT, Disposition.RETRY, 10_000, 0),
                        expected(Ending.DUPLICATE, Disposition.ACK, 12_500, 1));
        assertThat(Expected.of(deliveries(Then.OUTRUN, Then.ACK, Then.ACK), WITHOUT_CLAIM))
                .containsExactly(
                        expected(Ending.APPLIED, Disposition.ACK, 12_500, 1),
                        expected(Ending.LOCK_TIMEOUT, Disposition.RETRY, 10_000, 0),
                        expected(Ending.APPLIED, Disposition.ACK, 15_000, 2));
    }

    @Test
    void holdsNobodyUpWithADuplicateOrAConflict() {
        List<Delivery> deliveries =
                List.of(delivery(2500, Then.ACK), delivery(2500, Then.OUTRUN), delivery(9900, Then.DIE_AFTER_COMMIT));

        assertThat(Expected.of(deliveries, WITH_CLAIM))
                .extracting(Expected::ending)
                .containsExactly(Ending.APPLIED, Ending.DUPLICATE, Ending.CONFLICT);
    }

    @Test
    void believesTheLineBeforeTheRule() {
        Delivery line = new Delivery(1, "c", "e", "a", 2500, Then.ACK, 1, Map.of(WITH_CLAIM, 7L));

        assertThat(Expected.of(List.of(line), WITH_CLAIM))
                .containsExactly(expected(Ending.APPLIED, Disposition.ACK, 7, 1));
        assertThat(Expected.of(List.of(line), WITHOUT_CLAIM))
                .containsExactly(expected(Ending.APPLIED, Disposition.ACK, 12_500, 1));
    }

    private static Expected expected(Ending ending, Disposition disposition, long balance, long credits) {
        return new Expected(ending, disposition, new Accounts.State(balance, credits));
    }

    private static List<Delivery> deliveries(Then... thens) {
        return Arrays.stream(thens).map(then -> delivery(2500, then)).toList();
    }

    private static Delivery delivery(long amount, Then then) {
        return new Delivery(1, "c", "e", "a", amount, then, 1, Map.of());
    }
}
