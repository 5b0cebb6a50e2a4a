package io.dedupstore.benchmarks;

import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Many threads whose event ids all fall on the same page of the key's index, or on random ones. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HotIndex {
    /** How the ids follow each other. */
    public enum Ids {
        MONOTONIC,
        RANDOM
    }

    @Param
    public Ids ids;

    private final AtomicLong count = new AtomicLong(System.currentTimeMillis() << 20);

    @Benchmark
    public void fresh(Fixture fixture, Worker worker) throws Exception {
        String id = ids == Ids.RANDOM
                ? UUID.randomUUID().toString()
                : String.format(Locale.ROOT, "%019d", count.getAndIncrement());
        fixture.consume(id, worker, false, true);
    }
}
