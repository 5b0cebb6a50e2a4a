package io.dedupstore.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;

/** An SQLite file (WAL, FULL) for the two checks: a store's table, the same table for plain JDBC, and accounts. */
final class CheckDatabase implements AutoCloseable {
    static final String CREDIT = "UPDATE account SET cents = cents + ? WHERE id = ?";
    static final String CLAIM =
            "INSERT INTO hand_claim (tenant, consumer, event_id, hash_scheme, payload_hash, claim_id)"
                    + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, consumer, event_id) DO NOTHING";

    private static final int ACCOUNTS = 1000;

    private final Path folder;
    private final String url;

    CheckDatabase(int busyMillis) throws IOException, SQLException {
        // not the system's temporary folder, which may be a file system in memory
        this.folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "check");
        this.url = "jdbc:sqlite:" + folder.resolve("check.db") + "?journal_mode=WAL&synchronous=FULL&busy_timeout="
                + busyMillis;
        try (HikariDataSource pool = pool(1);
                Connection connection = connect();
                Statement statement = connection.createStatement()) {
            DedupStore store = DedupStore.builder(pool).build();
            store.schema().create();
            statement.execute(store.schema().ddl().replace("dedup_claim", "hand_claim"));
            statement.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER NOT NULL)");
            statement.execute("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < " + ACCOUNTS
                    + ") INSERT INTO account SELECT i, 0 FROM n");
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    static Event event(String series, int number) {
        return Event.of(EventKey.of("check", series + "-" + number), hash(number));
    }

    private static PayloadHash hash(int number) {
        return PayloadHash.ofBytes(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    static int account(int number) {
        return number % ACCOUNTS;
    }

    /** What a hand-written claim binds, the store's columns all. */
    static void bind(PreparedStatement claim, Event event) throws SQLException {
        claim.setString(1, event.key().tenant());
        claim.setString(2, event.key().consumer());
        claim.setString(3, event.key().eventId());
        claim.setString(4, event.hash().scheme());
        claim.setBytes(5, event.hash().digest());
        UUID id = UUID.randomUUID();
        claim.setBytes(
                6,
                ByteBuffer.allocate(16)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array());
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
