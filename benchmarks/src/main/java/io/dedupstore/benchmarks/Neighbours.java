package io.dedupstore.benchmarks;

import io.dedupstore.benchmarks.Contention.Round;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * First deliveries of other events beside a key that one thread holds, 50 ms each, and another waits for; and beside the
 * same two threads when their keys differ, so that nobody waits.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Neighbours {
    private static final Duration HOLD = Duration.ofMillis(50);

    private final String prefix = UUID.randomUUID() + "-";

    @Benchmark
    @Group("besideAHeldKey")
    @GroupThreads(2)
    public boolean holdOrWait(Fixture fixture, Round round, Worker worker) throws Exception {
        return consume(fixture, worker, prefix + round.next());
    }

    @Benchmark
    @Group("besideAHeldKey")
    public void neighbour(Fixture fixture, Worker worker) throws Exception {
        fixture.consume(worker.newEvent(), worker, false, true);
    }

    @Benchmark
    @Group("besideOtherKeys")
    @GroupThreads(2)
    public boolean holdOnly(Fixture fixture, Worker worker) throws Exception {
        return consume(fixture, worker, worker.newEvent());
    }

    @Benchmark
    @Group("besideOtherKeys")
    public void undisturbed(Fixture fixture, Worker worker) throws Exception {
        fixture.consume(worker.newEvent(), worker, false, true);
    }

    private static boolean consume(Fixture fixture, Worker worker, String event) throws Exception {
        Delivery delivery = new Delivery(event, fixture.payload(), false, worker.account());
        return fixture.consumer().consume(delivery, () -> LockSupport.parkNanos(HOLD.toNanos()));
    }
}
