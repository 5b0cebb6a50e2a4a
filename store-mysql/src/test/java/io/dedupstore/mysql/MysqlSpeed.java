package io.dedupstore.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.servers.rules.SpeedRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Prints the ratios of the speed targets; durable commits. Arguments: SERVER [rounds]. */
final class MysqlSpeed {
    private static final String WORK = "UPDATE account SET cents = cents + ? WHERE id = ?";
    private static final String INSERT =
            "INSERT INTO dedup_claim (tenant, consumer, event_id, hash_scheme, payload_hash,"
                    + " claim_id, claimed_at) ";
    private static final String VALUES = INSERT + "VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(6))";
    private static final String CONDITION =
            INSERT + "VALUES (?, ?, ?, ?, ?, ?, IF(@@innodb_lock_wait_timeout > 0, UTC_TIMESTAMP(6), NULL))";

    private MysqlSpeed() {}

    public static void main(String[] args) throws Exception {
        Servers server = Servers.valueOf(args[0]);
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1000;
        new Scene(server.url()).ready();
        String plain =
                server.url() + "&sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5";
        print("recommended URL", Urls.recommended(server.url()), true, rounds);
        print("auto-commit off", Urls.recommended(server.url()), false, rounds);
        print("without useLocalSessionState", plain, true, rounds);
        print("sessions without settings", server.url(), true, rounds);
        System.exit(0);
    }

    private static void print(String title, String url, boolean autoCommit, int rounds) throws Exception {
        SpeedRun variants = new SpeedRun(rounds);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(2);
        HikariDataSource pool = new HikariDataSource(config);
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        Event known = Scene.event();
        store.claimAndApply(known, Scene::credit);
        variants.add("bare: UPDATE + commit", () -> inTransaction(pool, ""));
        variants.add("by hand: INSERT, UPDATE + commit", () -> inTransaction(pool, VALUES));
        variants.add("by hand: INSERT under a condition", () -> inTransaction(pool, CONDITION));
        variants.add(
                "claimAndApply",
                () -> store.claimAndApply(Scene.event(), tx -> {
                    work(tx.getConnection());
                    return null;
                }));
        variants.add("duplicate", () -> store.claimAndApply(known, tx -> null));
        variants.add("duplicate, redelivered", () -> store.claimAndApply(known.redelivered(true), tx -> null));
        System.out.println(title);
        variants.print(System.out);
        pool.close();
    }

    private static void inTransaction(HikariDataSource pool, String insert) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            boolean before = connection.getAutoCommit();
            if (before) {
                connection.setAutoCommit(false);
            }
            if (!insert.isEmpty()) {
                claim(connection, insert);
            }
            work(connection);
            connection.commit();
            if (before) {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void work(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WORK)) {
            statement.setLong(1, 1);
            statement.setString(2, "a");
            statement.executeUpdate();
        }
    }

    private static void claim(Connection connection, String insert) throws SQLException {
        Event event = Scene.event();
        UUID id = UUID.randomUUID();
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setBytes(1, event.key().tenant().getBytes(StandardCharsets.UTF_8));
            statement.setBytes(2, event.key().consumer().getBytes(StandardCharsets.UTF_8));
            statement.setBytes(3, event.key().eventId().getBytes(StandardCharsets.UTF_8));
            statement.setString(4, event.hash().scheme());
            statement.setBytes(5, event.hash().digest());
            statement.setBytes(
                    6,
                    ByteBuffer.allocate(16)
                            .putLong(id.getMostSignificantBits())
                            .putLong(id.getLeastSignificantBits())
                            .array());
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("not claimed");
            }
        }
    }
}
