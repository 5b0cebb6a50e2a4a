package io.dedupstore.benchmarks;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * All threads deliver the same events in the same order: who comes first holds the claim for a while, the others wait for
 * it and learn that it is a duplicate. With the share of the slowest thread, and the errors that reach a caller.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Contention {
    /** Milliseconds of work between the claim and the commit. */
    @Param({"5", "20"})
    public int hold;

    private final String prefix = UUID.randomUUID() + "-";

    @Benchmark
    public boolean sameKey(Fixture fixture, Round round, Worker worker) {
        boolean applied = false;
        try {
            Delivery delivery = new Delivery(prefix + round.next(), fixture.payload(), false, worker.account());
            applied = fixture.consumer().consume(delivery, this::work);
        } catch (Exception e) {
            Tally.error();
        }
        Tally.done();
        return applied;
    }

    private void work() {
        long end = System.nanoTime() + Duration.ofMillis(hold).toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** How far a thread has come. */
    @State(Scope.Thread)
    public static class Round {
        private long count;

        long next() {
            return count++;
        }
    }
}
