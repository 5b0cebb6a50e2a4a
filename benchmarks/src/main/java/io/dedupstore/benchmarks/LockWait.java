package io.dedupstore.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** How soon a waiter goes on when the holder ends, and how long it waits for a holder that does not end. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LockWait {
    /** The bound of the wait. Whole seconds, as MySQL counts no others. */
    static final Duration BOUND = Duration.ofSeconds(1);

    private static final long SURELY_WAITING_NANOS = 20_000_000;

    @Param({"SQLITE", "POSTGRES", "MYSQL"})
    public Database database;

    private HikariDataSource pool;
    private DedupStore store;
    private ExecutorService waiters;

    @Setup(Level.Trial)
    public void open() throws Exception {
        pool = database.pool(4);
        store = DedupStore.builder(pool).lockWait(BOUND).build();
        store.schema().create();
        waiters = Executors.newCachedThreadPool();
    }

    @TearDown(Level.Trial)
    public void close() {
        waiters.shutdown();
        pool.close();
    }

    /** From before the holder's commit to the waiter's answer, which is a duplicate. */
    @Benchmark
    public void holderCommits(Waiter waiter) throws Exception {
        waiter.held.holder.commit();
        if (!(waiter.answer.get() instanceof Outcome.Duplicate)) {
            throw new IllegalStateException("The waiter was to find a duplicate");
        }
    }

    /** From before the holder's rollback to the waiter's answer, which has claimed, applied and committed. */
    @Benchmark
    public void holderRollsBack(Waiter waiter) throws Exception {
        waiter.held.holder.rollback();
        if (!(waiter.answer.get() instanceof Outcome.Applied)) {
            throw new IllegalStateException("The waiter was to apply the event");
        }
    }

    /** From the claim to the refusal, when the holder outlasts the bound. */
    @Benchmark
    public void toTheBound(Held held) {
        try {
            store.claimAndApply(held.event, tx -> null);
        } catch (ClaimInFlightException expected) {
            return;
        }
        throw new IllegalStateException("The key is held");
    }

    /** A key that is held for each call. */
    @State(Scope.Thread)
    public static class Held {
        Connection holder;
        Event event;

        @Setup(Level.Invocation)
        public void hold(LockWait benchmark, Worker worker) throws Exception {
            event = Event.of(EventKey.of("bench", worker.newEvent()), PayloadHash.ofText(""));
            holder = benchmark.pool.getConnection();
            holder.setAutoCommit(false);
            benchmark.store.claim(holder, event);
        }

        @TearDown(Level.Invocation)
        public void release() throws Exception {
            holder.rollback();
            holder.setAutoCommit(true);
            holder.close();
        }
    }

    /** Somebody who waits for it. */
    @State(Scope.Thread)
    public static class Waiter {
        Held held;
        Future<Outcome<Object>> answer;

        @Setup(Level.Invocation)
        public void wait(LockWait benchmark, Held key) {
            held = key;
            answer = benchmark.waiters.submit(() -> benchmark.store.claimAndApply(key.event, tx -> null));
            LockSupport.parkNanos(SURELY_WAITING_NANOS);
        }
    }
}
