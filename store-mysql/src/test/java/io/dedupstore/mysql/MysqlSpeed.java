package io.dedupstore.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Prints the ratios of the speed targets: one thread, loopback, durable commits, all variants interleaved, medians. Pin it
 * and the server's processes, which inherit it, to one core: {@code taskset -c 1 java … MysqlSpeed SERVER [rounds]}.
 */
final class MysqlSpeed {
    private static final String WORK = "UPDATE account SET cents = cents + ? WHERE id = ?";
    private static final String INSERT =
            "INSERT INTO dedup_claim (tenant, consumer, event_id, hash_scheme, payload_hash,"
                    + " claim_id, claimed_at) ";
    private static final String VALUES = INSERT + "VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(6))";
    private static final String CONDITION =
            INSERT + "VALUES (?, ?, ?, ?, ?, ?, IF(@@innodb_lock_wait_timeout > 0, UTC_TIMESTAMP(6), NULL))";
    private static final int WARM_UP = 1000;

    private interface Variant {
        void run() throws Exception;
    }

    private final Map<String, Variant> variants = new LinkedHashMap<>();

    private MysqlSpeed() {}

    public static void main(String[] args) throws Exception {
        Servers server = Servers.valueOf(args[0]);
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1000;
        new Scene(server.url()).ready();
        MysqlSpeed speed = new MysqlSpeed();
        String plain =
                server.url() + "&sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5";
        speed.add("", Urls.recommended(server.url()), true);
        speed.measure(rounds);
        speed.variants.clear();
        speed.add(" [auto-commit off]", Urls.recommended(server.url()), false);
        speed.add(" [without useLocalSessionState]", plain, true);
        speed.add(" [sessions without settings]", server.url(), true);
        speed.measure(rounds);
        System.exit(0);
    }

    private void add(String label, String url, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(2);
        HikariDataSource pool = new HikariDataSource(config);
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        Event known = Scene.event();
        store.claimAndApply(known, Scene::credit);
        variants.put("bare: UPDATE + commit" + label, () -> inTransaction(pool, ""));
        variants.put("by hand: INSERT, UPDATE + commit" + label, () -> inTransaction(pool, VALUES));
        variants.put("by hand: INSERT under a condition" + label, () -> inTransaction(pool, CONDITION));
        variants.put(
                "claimAndApply" + label,
                () -> store.claimAndApply(Scene.event(), tx -> {
                    work(tx.getConnection());
                    return null;
                }));
        variants.put("duplicate" + label, () -> store.claimAndApply(known, tx -> null));
        variants.put("duplicate, redelivered" + label, () -> store.claimAndApply(known.redelivered(true), tx -> null));
    }

    private void measure(int rounds) throws Exception {
        Map<String, long[]> times = new LinkedHashMap<>();
        variants.keySet().forEach(name -> times.put(name, new long[rounds]));
        for (int round = -WARM_UP; round < rounds; round++) {
            for (Map.Entry<String, Variant> variant : variants.entrySet()) {
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
            bare = entry.getKey().startsWith("bare") ? median : bare;
            System.out.printf("%-60s %8.1f us  %.3f%n", entry.getKey(), median, median / bare);
        }
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
