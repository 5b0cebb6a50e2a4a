package io.dedupstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.servers.rules.SpeedRun;
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
import java.util.UUID;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/** Prints the ratios of the speed targets; durable commits. Arguments: [rounds [url parameters]]. */
final class PostgresSpeed {
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
            new PostgresSpeed(pool, dialect(pool), store, known).add(rounds).print(System.out);
        }
        System.exit(0);
    }

    private static DedupDialect dialect(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return new PostgresDialectProvider().dialect(connection, TableName.of(TableName.DEFAULT));
        }
    }

    private SpeedRun add(int rounds) {
        SpeedRun variants = new SpeedRun(rounds);
        variants.add("bare: UPDATE + commit", () -> inTransaction(connection -> {}));
        variants.add("by hand: INSERT", () -> inTransaction(connection -> claim(connection, INSERT, false, false)));
        variants.add(
                "by hand: INSERT; SELECT",
                () -> inTransaction(connection -> claim(connection, INSERT + ";" + SELECT, false, true)));
        variants.add(
                "by hand: with a bound for all",
                () -> inTransaction(connection ->
                        claim(connection, "SET LOCAL lock_timeout = 5000;" + INSERT + ";" + SELECT, true, true)));
        variants.add("this dialect without the engine", this::withoutTheEngine);
        variants.add(
                "claimAndApply",
                () -> store.claimAndApply(Scene.event(), tx -> {
                    work(tx.getConnection());
                    return null;
                }));
        variants.add("duplicate", () -> store.claimAndApply(altered(false), tx -> null));
        variants.add("duplicate, redelivered", () -> store.claimAndApply(altered(true), tx -> null));
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
