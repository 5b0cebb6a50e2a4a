package io.dedupstore.benchmarks;

import static io.dedupstore.benchmarks.Contender.BY_HAND;
import static io.dedupstore.benchmarks.Contender.CAMEL;
import static io.dedupstore.benchmarks.Contender.DEDUP_STORE;
import static io.dedupstore.benchmarks.Contender.EVENTUATE;
import static io.dedupstore.benchmarks.Contender.SPRING_INTEGRATION;

import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** How much is measured, and for how long. */
enum Profile {
    /** Every benchmark once, to see that it runs: its figures mean nothing. */
    SMOKE {
        @Override
        List<Step> steps() {
            List<Integer> two = List.of(2);
            return List.of(
                    Step.of(FreshClaim.class, "owned", two, Contender.values()),
                    Step.of(DuplicateClaim.class, "unmarked", two, CLAIMING),
                    Step.of(DuplicateClaim.class, "redelivered", two, DEDUP_STORE),
                    Step.of(DuplicateClaim.class, "conflicting", two, BY_HAND, DEDUP_STORE),
                    Step.of(JoinedClaim.class, "", two),
                    Step.of(Contention.class, "sameKey", two, DEDUP_STORE).with("hold", "5"),
                    Step.of(Neighbours.class, "", ITS_OWN, DEDUP_STORE),
                    Step.of(LockWait.class, "", ONE),
                    Step.of(HotIndex.class, "fresh", two, DEDUP_STORE),
                    Step.of(MixedLoad.class, "deliveries", two, DEDUP_STORE),
                    Step.of(Growth.class, "fresh", two).with("stored", "1000"));
        }

        @Override
        void time(ChainedOptionsBuilder options) {
            TimeValue blink = TimeValue.milliseconds(50);
            options.forks(0).warmupIterations(0).measurementIterations(1).measurementTime(blink);
        }
    },
    /** The main figures, in less than five minutes on two cores. */
    QUICK {
        @Override
        List<Step> steps() {
            List<Integer> eight = List.of(8);
            return List.of(
                    Step.of(FreshClaim.class, "owned", ONE, Contender.values()),
                    Step.of(DuplicateClaim.class, "unmarked", ONE, BY_HAND, DEDUP_STORE),
                    Step.of(DuplicateClaim.class, "redelivered", ONE, DEDUP_STORE),
                    Step.of(FreshClaim.class, "owned", eight, DEDUP_STORE),
                    Step.of(DuplicateClaim.class, "redelivered", eight, DEDUP_STORE),
                    Step.of(MixedLoad.class, "deliveries", eight, DEDUP_STORE),
                    Step.of(Contention.class, "sameKey", List.of(16), DEDUP_STORE)
                            .with("hold", "5"),
                    Step.of(LockWait.class, "holderCommits", ONE));
        }

        @Override
        void time(ChainedOptionsBuilder options) {
            options.jvmArgs(COMPILED_EARLY)
                    .forks(1)
                    .warmupIterations(1)
                    .warmupTime(TimeValue.seconds(3))
                    .measurementIterations(3)
                    .measurementTime(TimeValue.milliseconds(700));
        }
    },
    /** What the {@link Targets} need: some minutes for each database. */
    TARGETS {
        @Override
        List<Step> steps() {
            return List.of(
                    Step.of(FreshClaim.class, "owned", ONE, Contender.values()),
                    Step.of(DuplicateClaim.class, "unmarked", ONE, CLAIMING),
                    Step.of(DuplicateClaim.class, "redelivered", ONE, DEDUP_STORE),
                    Step.of(Contention.class, "sameKey", List.of(32), DEDUP_STORE)
                            .with("hold", "5"),
                    Step.of(Neighbours.class, "", ITS_OWN, BY_HAND, DEDUP_STORE),
                    Step.of(Growth.class, "fresh", ONE).with("stored", "10000", "1000000"));
        }

        @Override
        void time(ChainedOptionsBuilder options) {
            options.jvmArgs(COMPILED_EARLY)
                    .forks(2)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(6))
                    .measurementIterations(4)
                    .measurementTime(TimeValue.seconds(2));
        }
    },
    /** Everything, for capacity planning: some hours. */
    FULL {
        @Override
        List<Step> steps() {
            return List.of(
                    Step.of(FreshClaim.class, "owned", List.of(1, 4, 16, 32), Contender.values()),
                    Step.of(DuplicateClaim.class, "unmarked", List.of(1, 16), CLAIMING),
                    Step.of(DuplicateClaim.class, "redelivered", List.of(1, 4, 16, 32), DEDUP_STORE),
                    Step.of(MixedLoad.class, "deliveries", List.of(4, 16, 32), DEDUP_STORE),
                    Step.of(DuplicateClaim.class, "conflicting", ONE, BY_HAND, DEDUP_STORE),
                    Step.of(JoinedClaim.class, "", ONE),
                    Step.of(Contention.class, "sameKey", List.of(4, 32), BY_HAND, DEDUP_STORE, EVENTUATE, CAMEL)
                            .with("hold", "1", "5", "20", "100"),
                    Step.of(Neighbours.class, "", ITS_OWN, BY_HAND, DEDUP_STORE),
                    Step.of(LockWait.class, "", ONE),
                    Step.of(HotIndex.class, "fresh", List.of(16), BY_HAND, DEDUP_STORE),
                    Step.of(Growth.class, "fresh", ONE).with("stored", "10000", "1000000"));
        }

        @Override
        void time(ChainedOptionsBuilder options) {
            options.forks(3)
                    .warmupIterations(2)
                    .warmupTime(TimeValue.seconds(5))
                    .measurementIterations(5)
                    .measurementTime(TimeValue.seconds(2));
        }
    };

    /** Else the compiler has not come to the engine by the end of a short warm-up. */
    private static final String COMPILED_EARLY = "-XX:CompileThresholdScaling=0.1";

    private static final Contender[] CLAIMING = {BY_HAND, DEDUP_STORE, EVENTUATE, SPRING_INTEGRATION, CAMEL};
    private static final List<Integer> ONE = List.of(1);
    private static final List<Integer> ITS_OWN = List.of(0);

    abstract List<Step> steps();

    abstract void time(ChainedOptionsBuilder options);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
