package io.dedupstore.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.Capability;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;

/** A database of one server, as the kit and this module's own tests need it. */
final class PostgresFixture implements BackendFixture {
    private static final String COLUMNS =
            "hash_scheme text NOT NULL, payload_hash bytea NOT NULL, claim_id uuid NOT NULL,"
                    + " claimed_at timestamptz NOT NULL DEFAULT clock_timestamp()";
    private static final String KEY = ", PRIMARY KEY (tenant, consumer, event_id)";

    private final String url;
    private final HikariDataSource pool;

    PostgresFixture(String url) {
        this.url = url;
        this.pool = pool(url);
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(24);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(10_000);
        return new HikariDataSource(config);
    }

    String url() {
        return url;
    }

    @Override
    public DataSource dataSource() {
        return pool;
    }

    @Override
    public int waitingClaims() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            return waitingClaims(connection);
        }
    }

    static int waitingClaims(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                                + " WHERE NOT l.granted AND l.locktype IN ('transactionid', 'spectoken')"
                                + " AND a.query LIKE '%ON CONFLICT%'")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public Connection readOnlyConnection() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Connection driverConnection(Connection connection) throws SQLException {
        return connection.unwrap(BaseConnection.class);
    }

    /** An error aborts the transaction, unless the driver sets a savepoint before every statement. */
    @Override
    public Set<Capability> lacks() {
        return url.contains("autosave=always") ? Set.of() : Set.of(Capability.STATEMENT_ROLLBACK);
    }

    private static String table(String keyColumns, String rest) {
        return "CREATE TABLE %s (" + keyColumns + ", " + COLUMNS + rest + ")";
    }

    @Override
    public Map<String, String> unfitTables() {
        String texts = "tenant text NOT NULL, consumer text NOT NULL, event_id text NOT NULL";
        String ignoringCase = "CREATE COLLATION IF NOT EXISTS ignoring_case (provider = icu,"
                + " locale = 'und-u-ks-level2', deterministic = false);\n";
        Map<String, String> unfit = new LinkedHashMap<>();
        unfit.put("no unique key", table(texts, ""));
        unfit.put("wider key", table(texts, ", PRIMARY KEY (tenant, consumer, event_id, claimed_at)"));
        unfit.put("narrower key", table(texts, ", PRIMARY KEY (consumer, event_id)"));
        unfit.put("another unique key", table(texts, KEY + ", UNIQUE (payload_hash)"));
        unfit.put("exclusion constraint", table(texts, KEY + ", EXCLUDE (hash_scheme WITH =)"));
        unfit.put("deferrable key", table(texts, KEY + " DEFERRABLE"));
        unfit.put(
                "partial key",
                table(texts, "") + ";\nCREATE UNIQUE INDEX ON %s (tenant, consumer, event_id) WHERE tenant <> 'x'");
        unfit.put(
                "key over an expression",
                table(texts, "") + ";\nCREATE UNIQUE INDEX ON %s (tenant, consumer, lower(event_id))");
        unfit.put(
                "partitioned by time",
                table(texts, ", PRIMARY KEY (tenant, consumer, event_id, claimed_at)")
                        + " PARTITION BY RANGE (claimed_at)");
        unfit.put(
                "nondeterministic collation",
                ignoringCase + table(texts.replace("event_id text", "event_id text COLLATE ignoring_case"), KEY));
        unfit.put(
                "index with a nondeterministic collation",
                ignoringCase + table(texts, "")
                        + ";\nCREATE UNIQUE INDEX ON %s (tenant, consumer, event_id COLLATE ignoring_case)");
        unfit.put("char(n)", table(texts.replace("event_id text", "event_id char(255)"), KEY));
        unfit.put("short column", table(texts.replace("consumer text", "consumer varchar(127)"), KEY));
        unfit.put("number as id", table(texts.replace("event_id text", "event_id bigint"), KEY));
        unfit.put("hash as text", table(texts, KEY).replace("bytea", "text"));
        unfit.put("time without zone", table(texts, KEY).replace("timestamptz", "timestamp"));
        unfit.put("time without default", table(texts, KEY).replace(" DEFAULT clock_timestamp()", ""));
        unfit.put("further column", table(texts, ", more text NOT NULL" + KEY));
        unfit.put("missing column", table(texts, KEY).replace("claim_id uuid NOT NULL, ", ""));
        unfit.put("unlogged", table(texts, KEY).replace("CREATE TABLE", "CREATE UNLOGGED TABLE"));
        unfit.put("rule", table(texts, KEY) + ";\nCREATE RULE swallow AS ON INSERT TO %s DO INSTEAD NOTHING");
        unfit.put(
                "trigger",
                table(texts, KEY) + ";\nCREATE TRIGGER swallow BEFORE INSERT ON %s FOR EACH ROW"
                        + " EXECUTE FUNCTION suppress_redundant_updates_trigger()");
        return unfit;
    }

    @Override
    public String shortLockWait() {
        return "SET LOCAL lock_timeout = '200ms'";
    }
}
