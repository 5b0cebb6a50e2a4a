package io.dedupstore.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The databases. The runner tells a fork by a system property where its database is, so that all forks of one run use the
 * same server.
 */
public enum Database {
    SQLITE("INSERT INTO %1$s (tenant, consumer, event_id, hash_scheme, payload_hash, claim_id, claimed_at)"
            + " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %2$d)"
            + " SELECT 'default', 'bench', lower(hex(randomblob(16))), 'sha256', randomblob(32), randomblob(16),"
            + " 1700000000000 FROM n"),
    POSTGRES("INSERT INTO %1$s (tenant, consumer, event_id, hash_scheme, payload_hash, claim_id)"
            + " SELECT 'default', 'bench', gen_random_uuid()::text, 'sha256', sha256(i::text::bytea),"
            + " gen_random_uuid() FROM generate_series(1, %2$d) AS i"),
    MYSQL(
            "INSERT INTO %1$s (tenant, consumer, event_id, hash_scheme, payload_hash, claim_id, claimed_at)"
                    + " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %2$d)"
                    + " SELECT 'default', 'bench', uuid(), 'sha256', unhex(sha2(i, 256)), random_bytes(16), utc_timestamp(6) FROM n");

    /** Accounts of the business table: one for each thread, so that only the claims can contend. */
    static final int ACCOUNTS = 64;

    private final String fill;

    Database(String fill) {
        this.fill = fill;
    }

    /** The system property that holds the database's URL. */
    String property() {
        return "dedup.bench." + name().toLowerCase(Locale.ROOT);
    }

    HikariDataSource pool(int size) {
        String url = System.getProperty(property());
        if (url == null) {
            throw new IllegalStateException(
                    "Run the benchmarks by their own main class, which starts the servers, or set" + " -D" + property()
                            + "=jdbc:...");
        }
        return pool(url, size);
    }

    static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    /** Stores random claims in a table of the store until it has so many. */
    void fill(Connection connection, String table, int rows) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (this == MYSQL) {
                statement.execute("SET SESSION cte_max_recursion_depth = " + rows);
            }
            int there = Integer.parseInt(value(connection, "SELECT count(*) FROM " + table));
            if (there < rows) {
                statement.execute(String.format(Locale.ROOT, fill, table, rows - there));
            }
            if (this == MYSQL) {
                statement.execute("SET SESSION cte_max_recursion_depth = DEFAULT");
            }
        }
    }

    private List<String> queries() {
        return switch (this) {
            case SQLITE -> List.of("PRAGMA journal_mode", "PRAGMA synchronous");
            case POSTGRES ->
                List.of("SHOW fsync", "SHOW synchronous_commit", "SHOW full_page_writes", "SHOW shared_buffers");
            case MYSQL ->
                List.of(
                        "SELECT @@innodb_flush_log_at_trx_commit",
                        "SELECT @@sync_binlog",
                        "SELECT @@log_bin",
                        "SELECT @@innodb_buffer_pool_size");
        };
    }

    /** What a table takes on the disk, with its indexes. */
    long bytes(Connection connection, String table) throws SQLException {
        if (this == MYSQL) {
            value(connection, "ANALYZE TABLE " + table); // else it answers by a count that may be a day old
        }
        return Long.parseLong(value(
                connection,
                switch (this) {
                    case SQLITE -> "SELECT sum(pgsize) FROM dbstat WHERE name = '" + table + "'";
                    case POSTGRES -> "SELECT pg_total_relation_size('" + table + "')";
                    case MYSQL ->
                        "SELECT data_length + index_length FROM information_schema.tables"
                                + " WHERE table_schema = database() AND table_name = '" + table + "'";
                }));
    }

    /** The settings that durability and speed depend on, as the server has them. */
    Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("version", connection.getMetaData().getDatabaseProductVersion());
        found.put("driver", connection.getMetaData().getDriverVersion());
        for (String query : queries()) {
            found.put(query.replaceAll("^\\w+ @*", ""), value(connection, query));
        }
        return found;
    }

    private static String value(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : "";
        }
    }

    /** Makes the business table if it is not there. */
    static void createAccounts(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS account (id VARCHAR(20) NOT NULL PRIMARY KEY, cents BIGINT NOT NULL)");
            try (ResultSet row = statement.executeQuery("SELECT count(*) FROM account")) {
                if (row.next() && row.getInt(1) > 0) {
                    return;
                }
            }
            for (int i = 0; i < ACCOUNTS; i++) {
                statement.execute("INSERT INTO account (id, cents) VALUES ('a" + i + "', 0)");
            }
        }
    }
}
