package io.dedupstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TableName;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Prints the ratios of the speed targets: one thread, loopback, fsync on, all variants interleaved in random order, medians. Pin it and the
 * server's processes, which inherit it, to one core: {@code taskset -c 1 java … PostgresSpeed [rounds [url parameters]]}.
 */
final class PostgresSpeed {
    /** The compiler is done with the engine only after some ten thousand rounds. */
    private static final int WARM_UP = 15_000;

    private static final String WORK = "UPDATE account SET cents = cents + ? WHERE id = ?";
    private static final String INSERT =
            "INSERT INTO dedup_claim (tenant, consumer, event_id, hash_scheme, payload_hash,"
                    + " claim_id) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, consumer, event_id) DO NOTHING";
    private static final String SELECT = "SELECT hash_scheme, payload_hash, claim_id, claimed_at FROM dedup_claim"
            + " WHERE tenant = ? AND consumer = ? AND event_id = ?";

    private static final TransactionOptions OPTIONS =
            new TransactionOptions(TransactionIsolationLevel.READ_COMMITTED, Duration.ofSeconds(5));

    private final DedupDialect dialect;
    private final DedupStore store;
    private final Event known;
    private final HikariDataSource pool;

    private interface Variant {
        void run() throws Exception;
    }

    private PostgresSpeed(HikariDataSource pool, DedupDialect dialect, DedupStore store, Event known) {
        this.dialect = dialect;
        this.pool = pool;
        this.store = store;
        this.known = known;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5000;
        String url = Servers.POSTGRES.url() + (args.length > 1 ? args[1] : "");
        new Scene(url).ready();
        try (HikariDataSource pool = PostgresFixture.pool(url)) {
            DedupStore store = DedupStore.builder(pool).build();
            Event known = Scene.event();
            store.claimAndApply(known, Scene::credit);
            new PostgresSpeed(pool, dialect(pool), store, known).measure(rounds);
        }
        System.exit(0);
    }

    private static DedupDialect dialect(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return new PostgresDialectProvider().dialect(connection, TableName.of(TableName.DEFAULT));
        }
    }

    private Map<String, Variant> variants() {
        Map<String, Variant> variants = new LinkedHashMap<>();
        variants.put("bare: UPDATE + commit", () -> inTransaction(connection -> {}));
        variants.put("by hand: INSERT", () -> inTransaction(connection -> claim(connection, INSERT, false, false)));
        variants.put(
                "by hand: INSERT; SELECT",
                () -> inTransaction(connection -> claim(connection, INSERT + ";" + SELECT, false, true)));
        variants.put(
                "by hand: with a bound for all",
                () -> inTransaction(connection ->
                        claim(connection, "SET LOCAL lock_timeout = 5000;" + INSERT + ";" + SELECT, true, true)));
        variants.put("this dialect without the engine", this::withoutTheEngine);
        variants.put(
                "claimAndApply",
                () -> store.claimAndApply(Scene.event(), tx -> {
                    work(tx.getConnection());
                    return null;
                }));
        variants.put("duplicate", () -> store.claimAndApply(altered(false), tx -> null));
        variants.put("duplicate, redelivered", () -> store.claimAndApply(altered(true), tx -> null));
        return variants;
    }

    private void withoutTheEngine() throws Exception {
        Event event = Scene.event();
        NewClaim claim = new NewClaim(event.key(), event.hash(), UUID.randomUUID());
        try (Connection connection = pool.getConnection();
                DedupTransaction transaction = dialect.begin(connection, OPTIONS)) {
            transaction.claim(claim);
            work(connection);
            dialect.inspect(connection, claim, false);
            transaction.commit();
        }
    }

    private Event altered(boolean redelivered) {
        return known.redelivered(redelivered);
    }

    private void measure(int rounds) throws Exception {
        Map<String, Variant> variants = variants();
        Map<String, long[]> times = new LinkedHashMap<>();
        variants.keySet().forEach(name -> times.put(name, new long[rounds]));
        List<Map.Entry<String, Variant>> order = new ArrayList<>(variants.entrySet());
        for (int round = -WARM_UP; round < rounds; round++) {
            Collections.shuffle(order); // a variant is slower after some others than after itself
            for (Map.Entry<String, Variant> variant : order) {
                long start = System.nanoTime();
                variant.getValue().run();
                if (round >= 0) {
                    times.get(variant.getKey())[round] = System.nanoTime() - start;
                }
            }
        }
        double bare = 0;
        for (Map.Entry<String, long[]> entry : times.entrySet()) {
            Arrays.sort(entry.getValue());
            double median = entry.getValue()[rounds / 2] / 1000.0;
            bare = bare == 0 ? median : bare;
            System.out.printf("%-32s %8.1f us  %.3f%n", entry.getKey(), median, median / bare);
        }
    }

    private interface Claiming {
        void in(Connection connection) throws SQLException;
    }

    private void inTransaction(Claiming claiming) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            claiming.in(connection);
            work(connection);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static void work(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WORK)) {
            statement.setLong(1, 1);
            statement.setString(2, "a");
            statement.executeUpdate();
        }
    }

    private static void claim(Connection connection, String sql, boolean set, boolean read) throws SQLException {
        Event event = Scene.event();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int from : read ? new int[] {1, 7} : new int[] {1}) {
                statement.setString(from, event.key().tenant());
                statement.setString(from + 1, event.key().consumer());
                statement.setString(from + 2, event.key().eventId());
            }
            statement.setString(4, event.hash().scheme());
            statement.setBytes(5, event.hash().digest());
            statement.setObject(6, UUID.randomUUID());
            statement.execute();
            if (set) {
                statement.getMoreResults();
            }
            if (statement.getUpdateCount() != 1) {
                throw new IllegalStateException("not claimed");
            }
            if (read) {
                statement.getMoreResults();
                try (ResultSet row = statement.getResultSet()) {
                    row.next();
                    row.getString(1);
                }
            }
        }
    }
}
