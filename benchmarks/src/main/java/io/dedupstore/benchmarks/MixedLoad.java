package io.dedupstore.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** First deliveries with redeliveries among them, as in production: what the {@link Planner}'s prediction is held against. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MixedLoad {
    /** Redeliveries of a hundred deliveries. */
    @Param("20")
    public int redelivered;

    @Benchmark
    public void deliveries(Fixture fixture, DuplicateClaim.Known known) throws Exception {
        if (ThreadLocalRandom.current().nextInt(100) < redelivered) {
            fixture.consume(known.event(), known.worker(), true, false);
        } else {
            fixture.consume(known.worker().newEvent(), known.worker(), false, true);
        }
    }
}
