package io.dedupstore.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetsTest {
    private static Row row(
            String benchmark, Contender contender, int threads, double score, Map<String, Double> beside) {
        return new Row(benchmark, Database.POSTGRES, contender, threads, score, 0, "us/op", beside);
    }

    private static Row row(String benchmark, Contender contender, double score) {
        return row(benchmark, contender, 1, score, Map.of());
    }

    @Test
    void whatWasNotMeasuredHasNoLine() {
        assertThat(Targets.of(List.of(row("FreshClaim.owned", Contender.DEDUP_STORE, 100))))
                .isEmpty();
    }

    @Test
    void theFastestPeerCounts() {
        List<Targets.Line> lines = Targets.of(List.of(
                row("DuplicateClaim.unmarked", Contender.DEDUP_STORE, 100),
                row("DuplicateClaim.unmarked", Contender.CAMEL, 80),
                row("DuplicateClaim.unmarked", Contender.EVENTUATE, 200)));

        assertThat(lines)
                .containsExactly(new Targets.Line(
                        Database.POSTGRES, "duplicate, to the fastest peer", 1.25, "below 1.0", false));
    }

    @Test
    void aBoundIsMetOnItsOwnSide() {
        List<Targets.Line> lines = Targets.of(List.of(
                row("FreshClaim.owned", Contender.DEDUP_STORE, 103),
                row("FreshClaim.owned", Contender.BY_HAND, 100),
                row("Contention.sameKey hold 5", Contender.DEDUP_STORE, 32, 1, Map.of("slowest", 0.49, "errors", 0.0)),
                row("Neighbours.besideAHeldKey", Contender.DEDUP_STORE, 3, 1, Map.of("neighbour", 96.0)),
                row("Neighbours.besideOtherKeys", Contender.DEDUP_STORE, 3, 1, Map.of("undisturbed", 100.0)),
                row("Growth.fresh stored 1000000", Contender.DEDUP_STORE, 130),
                row("Growth.fresh stored 10000", Contender.DEDUP_STORE, 100)));

        assertThat(lines).extracting(Targets.Line::met).containsExactly(true, false, true, true, false);
    }
}
