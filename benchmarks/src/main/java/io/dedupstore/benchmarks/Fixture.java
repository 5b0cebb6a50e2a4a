package io.dedupstore.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** A contender, open on a database. */
@State(Scope.Benchmark)
public class Fixture {
    @Param({"SQLITE", "POSTGRES", "MYSQL"})
    public Database database;

    @Param({"BARE", "BY_HAND", "DEDUP_STORE", "EVENTUATE", "SPRING_INTEGRATION", "CAMEL"})
    public Contender contender;

    /** Characters, of one byte each. */
    @Param("256")
    public int payload;

    private HikariDataSource pool;
    private Consumer consumer;
    private String content;

    @Setup(Level.Trial)
    public void open(BenchmarkParams params) throws Exception {
        pool = database.pool(params.getThreads() + 1);
        try (Connection connection = pool.getConnection()) {
            Database.createAccounts(connection);
        }
        consumer = contender.open(database, pool);
        content = "x".repeat(payload);
    }

    @TearDown(Level.Trial)
    public void close() {
        pool.close();
    }

    /** Consumes a delivery, and makes sure that it was or was not applied, as it should be. */
    void consume(String eventId, Worker worker, boolean redelivered, boolean applied) throws Exception {
        if (consumer.consume(new Delivery(eventId, content, redelivered, worker.account()), Consumer.Hold.NONE)
                != applied) {
            throw new IllegalStateException(contender + " was to answer " + applied);
        }
    }

    Consumer consumer() {
        return consumer;
    }

    String payload() {
        return content;
    }
}
