package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;

/** What the rules' tests share: stores, events, an account to credit, threads. One for each test. */
final class Kit implements AutoCloseable {
    static final long CREDIT = 2500;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicLong NUMBER = new AtomicLong();

    private final BackendFixture fixture;
    private final Jdbi outside;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "kit");
        thread.setDaemon(true);
        return thread;
    });
    private final String account = "account-" + NUMBER.incrementAndGet() + "-" + UUID.randomUUID();

    Kit(BackendFixture fixture) {
        this.fixture = fixture;
        this.outside = Jdbi.create(fixture.dataSource());
        createTables();
        outside.useHandle(h -> h.execute("INSERT INTO kit_account (id, cents) VALUES (?, 0)", account));
    }

    private void createTables() {
        if (missing("kit_account")) {
            outside.useHandle(h -> {
                h.execute("CREATE TABLE kit_account (id VARCHAR(80) NOT NULL PRIMARY KEY, cents NUMERIC(18) NOT NULL)");
                h.execute("CREATE TABLE kit_order (order_no VARCHAR(80) NOT NULL PRIMARY KEY,"
                        + " account_id VARCHAR(80) NOT NULL, cents NUMERIC(18) NOT NULL, CHECK (cents > 0),"
                        + " FOREIGN KEY (account_id) REFERENCES kit_account (id))");
            });
        }
        store().schema().create();
    }

    boolean missing(String table) {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return !rows.next();
        } catch (SQLException e) {
            return true;
        }
    }

    BackendFixture fixture() {
        return fixture;
    }

    boolean has(Capability capability) {
        return !fixture.lacks().contains(capability);
    }

    Jdbi outside() {
        return outside;
    }

    Connection connection() throws SQLException {
        return fixture.dataSource().getConnection();
    }

    /** A connection in a transaction of the test's own. */
    Connection transaction() throws SQLException {
        Connection connection = connection();
        connection.setAutoCommit(false);
        return connection;
    }

    DedupStore store() {
        return store(builder -> {});
    }

    DedupStore store(Consumer<DedupStore.Builder> settings) {
        return store(settings, UnaryOperator.identity());
    }

    /** A store whose dialect has something put between; the faults that it brings are the test's. */
    DedupStore store(Consumer<DedupStore.Builder> settings, UnaryOperator<DedupDialect> between) {
        return store(TableName.of(TableName.DEFAULT), settings, between);
    }

    /** A store on a pool of the test's own. */
    DedupStore store(DataSource pool) {
        return build(DedupStore.builder(pool), TableName.of(TableName.DEFAULT), builder -> {}, real -> real);
    }

    DedupStore store(TableName table, Consumer<DedupStore.Builder> settings, UnaryOperator<DedupDialect> between) {
        return build(DedupStore.builder(fixture.dataSource()), table, settings, between);
    }

    private DedupStore build(
            DedupStore.Builder builder,
            TableName table,
            Consumer<DedupStore.Builder> settings,
            UnaryOperator<DedupDialect> between) {
        try (Connection connection = connection()) {
            builder.dialect(between.apply(fixture.dialect(connection, table)));
        } catch (SQLException e) {
            throw new AssertionError("The fixture's database cannot be reached", e);
        }
        settings.accept(builder);
        return fixture.build(builder);
    }

    FaultyDialect faulty() {
        try (Connection connection = connection()) {
            return new FaultyDialect(fixture.dialect(connection, TableName.of(TableName.DEFAULT)));
        } catch (SQLException e) {
            throw new AssertionError("The fixture's database cannot be reached", e);
        }
    }

    DedupStore store(FaultyDialect dialect, Consumer<DedupStore.Builder> settings) {
        return store(settings, real -> dialect);
    }

    EventKey key() {
        return EventKey.of("kit", "event-" + NUMBER.incrementAndGet() + "-" + UUID.randomUUID());
    }

    Event event() {
        return event(key(), "payload");
    }

    Event event(EventKey key, String payload) {
        return Event.of(key, PayloadHash.ofText(payload));
    }

    /** The same event, delivered with another payload. */
    Event altered(Event event) {
        return event(event.key(), "altered payload").redelivered(event.redelivered());
    }

    /** The work: credits this test's account, and returns how often it has been credited then. */
    HandleCallback<Long, RuntimeException> credit() {
        return tx -> {
            creditNow(tx);
            return credits(tx);
        };
    }

    void creditNow(Handle tx) {
        tx.execute("UPDATE kit_account SET cents = cents + ? WHERE id = ?", CREDIT, account);
    }

    String account() {
        return account;
    }

    /** How often the account was credited, as another session sees it. */
    long credits() {
        return outside.withHandle(this::credits);
    }

    private long credits(Handle handle) {
        return handle.select("SELECT cents FROM kit_account WHERE id = ?", account)
                        .mapTo(Long.class)
                        .one()
                / CREDIT;
    }

    /** Nothing of the event is there, and it can still be applied: the test of any rollback. */
    void assertNothingRemains(Event event, long creditsBefore) {
        assertThat(store().find(event.key())).as("claim after the rollback").isEmpty();
        assertThat(credits()).as("credits after the rollback").isEqualTo(creditsBefore);
        assertThat(store().claimAndApply(event, credit()))
                .as("the redelivery")
                .isInstanceOf(io.dedupstore.Outcome.Applied.class);
        assertThat(credits()).as("credits after the redelivery").isEqualTo(creditsBefore + 1);
    }

    <T> Future<T> async(Callable<T> task) {
        return threads.submit(task);
    }

    static <T> T get(Future<T> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("Nobody opened the latch in " + PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }

    /** Until the server says that all these claims wait. One that has ended will not. */
    void awaitWaiting(Collection<? extends Future<?>> claims) throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (fixture.waitingClaims() < claims.size()) {
            if (claims.stream().anyMatch(Future::isDone)) {
                throw new AssertionError("A claim that should wait for the holder has ended");
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Only " + fixture.waitingClaims() + " of " + claims.size() + " claims wait");
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
