package io.dedupstore.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.UUID;
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

/** A first delivery while so many claims, of random ids, are stored already. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Growth {
    @Param({"SQLITE", "POSTGRES", "MYSQL"})
    public Database database;

    @Param({"10000", "1000000"})
    public int stored;

    private HikariDataSource pool;
    private Owned owned;

    @Setup(Level.Trial)
    public void open(BenchmarkParams params) throws Exception {
        pool = database.pool(params.getThreads() + 1);
        String table = "dedup_claim_" + stored;
        owned = new Owned(pool, table);
        try (Connection connection = pool.getConnection()) {
            Database.createAccounts(connection);
            database.fill(connection, table, stored);
            Tally.bytes((double) database.bytes(connection, table) / stored);
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        Tally.bytes(0);
        pool.close();
    }

    @Benchmark
    public void fresh(Worker worker) throws Exception {
        String id = UUID.randomUUID().toString();
        if (!owned.consume(new Delivery(id, "x", false, worker.account()), Consumer.Hold.NONE)) {
            throw new IllegalStateException("A fresh event was taken for a duplicate");
        }
    }
}
