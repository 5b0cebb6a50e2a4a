package io.dedupstore.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/** This library in the caller's own transaction, first delivery and duplicate. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class JoinedClaim {
    @Param({"SQLITE", "POSTGRES", "MYSQL"})
    public Database database;

    private HikariDataSource pool;
    private Joined joined;

    @Setup(Level.Trial)
    public void open(BenchmarkParams params) throws Exception {
        pool = database.pool(params.getThreads() + 1);
        try (Connection connection = pool.getConnection()) {
            Database.createAccounts(connection);
        }
        joined = new Joined(pool);
    }

    @TearDown(Level.Trial)
    public void close() {
        pool.close();
    }

    @Benchmark
    public void fresh(Worker worker) throws Exception {
        consume(worker, worker.newEvent(), true);
    }

    @Benchmark
    public void duplicate(Known known) throws Exception {
        consume(known.worker, known.event, false);
    }

    private void consume(Worker worker, String event, boolean applied) throws Exception {
        if (joined.consume(new Delivery(event, "x", false, worker.account()), Consumer.Hold.NONE) != applied) {
            throw new IllegalStateException("The joined claim was to answer " + applied);
        }
    }

    /** An event that was applied before. */
    @State(Scope.Thread)
    public static class Known {
        private Worker worker;
        private String event;

        @Setup(Level.Trial)
        public void apply(JoinedClaim benchmark, Worker thread) throws Exception {
            worker = thread;
            event = thread.newEvent();
            benchmark.consume(thread, event, true);
        }
    }
}
