package io.dedupstore.sqlite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.Capability;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/** An SQLite file, or a memory database that its connections share. */
class SqliteFixture implements BackendFixture {
    private static final String OTHERS =
            ", hash_scheme TEXT NOT NULL, payload_hash BLOB NOT NULL, claim_id BLOB NOT NULL, claimed_at INTEGER DEFAULT 0";

    private final String url;
    private final JournalMode journal;
    private final AtomicReference<SqliteDialect> dialect = new AtomicReference<>();

    private final HikariDataSource pool;

    SqliteFixture(String url, JournalMode journal) {
        this.url = url;
        this.journal = journal;
        HikariConfig config = new HikariConfig();
        config.setDataSource(source(config()));
        config.setMaximumPoolSize(24);
        config.setMinimumIdle(24);
        this.pool = new HikariDataSource(config);
    }

    void close() {
        pool.close();
    }

    static SqliteFixture wal(Path file) {
        return new SqliteFixture("jdbc:sqlite:" + file, JournalMode.WAL);
    }

    @Override
    public DataSource dataSource() {
        return pool;
    }

    private SQLiteConfig config() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(journal);
        config.setSynchronous(SynchronousMode.NORMAL);
        config.enforceForeignKeys(true);
        return config;
    }

    private DataSource source(SQLiteConfig config) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url);
        return source;
    }

    @Override
    public DedupDialect dialect(Connection connection, TableName table) throws SQLException {
        DedupDialect found = BackendFixture.super.dialect(connection, table);
        dialect.set((SqliteDialect) found);
        return found;
    }

    @Override
    public int waitingClaims() {
        return dialect.get().waiting();
    }

    @Override
    public Connection readOnlyConnection() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        Connection connection = source(config).getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Connection driverConnection(Connection connection) throws SQLException {
        return connection.unwrap(SQLiteConnection.class);
    }

    @Override
    public List<Integer> snapshotLevels() {
        return List.of(Connection.TRANSACTION_SERIALIZABLE);
    }

    @Override
    public Set<Capability> lacks() {
        return EnumSet.of(Capability.CONCURRENT_WRITERS, Capability.READ_COMMITTED);
    }

    @Override
    public Map<String, String> unfitTables() {
        Map<String, String> unfit = new LinkedHashMap<>();
        String text = "tenant TEXT NOT NULL, consumer TEXT NOT NULL, event_id TEXT NOT NULL";
        String key = ", PRIMARY KEY (tenant, consumer, event_id)";
        unfit.put("no unique key", "CREATE TABLE %s (" + text + OTHERS + ")");
        unfit.put(
                "a wider key",
                "CREATE TABLE %s (" + text + OTHERS
                        + ", PRIMARY KEY (tenant, consumer, event_id, claimed_at)) WITHOUT ROWID");
        unfit.put("a narrower key", "CREATE TABLE %s (" + text + OTHERS + key + ", UNIQUE (tenant, event_id))");
        unfit.put("another unique key", "CREATE TABLE %s (" + text + OTHERS + key + ", UNIQUE (payload_hash))");
        unfit.put(
                "a partial key",
                "CREATE TABLE %s (" + text + OTHERS
                        + "); CREATE UNIQUE INDEX %s_key ON %s (tenant, consumer, event_id) WHERE tenant <> 'x'");
        unfit.put(
                "an index over expressions",
                "CREATE TABLE %s (" + text + OTHERS
                        + "); CREATE UNIQUE INDEX %s_key ON %s (tenant, consumer, lower(event_id))");
        unfit.put(
                "a NOCASE column",
                "CREATE TABLE %s (" + text.replace("event_id TEXT", "event_id TEXT COLLATE NOCASE") + OTHERS + key
                        + ")");
        unfit.put(
                "an RTRIM column",
                "CREATE TABLE %s (" + text.replace("tenant TEXT", "tenant TEXT COLLATE RTRIM") + OTHERS + key + ")");
        unfit.put(
                "a NOCASE index",
                "CREATE TABLE %s (" + text + OTHERS
                        + "); CREATE UNIQUE INDEX %s_key ON %s (tenant, consumer, event_id COLLATE NOCASE)");
        for (String type : List.of("NUMERIC", "INTEGER", "REAL", "STRING", "DATETIME", "DECIMAL(10,2)")) {
            unfit.put(
                    "a key column of type " + type,
                    "CREATE TABLE %s (" + text.replace("event_id TEXT", "event_id " + type) + OTHERS + key + ")");
        }
        unfit.put(
                "a missing column",
                "CREATE TABLE %s (" + text + OTHERS.replace("claim_id BLOB NOT NULL, ", "") + key + ")");
        unfit.put(
                "a hash that is text",
                "CREATE TABLE %s (" + text + OTHERS.replace("payload_hash BLOB", "payload_hash TEXT") + key + ")");
        return unfit;
    }
}
