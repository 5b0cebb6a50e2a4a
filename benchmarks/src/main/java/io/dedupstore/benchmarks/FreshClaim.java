package io.dedupstore.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** An event's first delivery: claim, business change, commit. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FreshClaim {
    @Benchmark
    public void owned(Fixture fixture, Worker worker) throws Exception {
        fixture.consume(worker.newEvent(), worker, false, true);
    }
}
