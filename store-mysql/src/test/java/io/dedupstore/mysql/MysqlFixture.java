package io.dedupstore.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.Capability;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** A database of one server, as the kit and this module's own tests need it. */
final class MysqlFixture implements BackendFixture {
    private static final String OTHERS = ", hash_scheme VARCHAR(32) CHARACTER SET ascii NOT NULL,"
            + " payload_hash VARBINARY(64) NOT NULL, claim_id BINARY(16) NOT NULL, claimed_at DATETIME(6) NOT NULL";
    private static final String BYTES =
            "tenant VARBINARY(256) NOT NULL, consumer VARBINARY(512) NOT NULL," + " event_id VARBINARY(1020) NOT NULL";
    private static final String KEY = ", PRIMARY KEY (tenant, consumer, event_id)";

    private final Servers server;
    private final String url;
    private final HikariDataSource pool;

    MysqlFixture(Servers server, String parameters) {
        this.server = server;
        this.url = server.url() + parameters;
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

    /** Of all transactions, but only claims make tests wait. The tables that tell more are caches that polling keeps stale. */
    static int waitingClaims(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")) {
            row.next();
            return row.getInt(2);
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
        return driver(connection, url);
    }

    static Connection driver(Connection connection, String url) throws SQLException {
        return url.startsWith("jdbc:mariadb:")
                ? connection.unwrap(org.mariadb.jdbc.Connection.class)
                : connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class);
    }

    @Override
    public Duration allowedOvershoot() {
        // 8.0.12 subtracts seconds cut to whole ones, and looks once a second
        return Duration.ofSeconds(server == Servers.MYSQL80 ? 2 : 1);
    }

    @Override
    public Set<Capability> lacks() {
        return server == Servers.MYSQL80
                ? EnumSet.of(Capability.DEFERRED_CONSTRAINTS, Capability.CHECK_CONSTRAINTS)
                : EnumSet.of(Capability.DEFERRED_CONSTRAINTS);
    }

    @Override
    public String shortLockWait() {
        return "SET SESSION innodb_lock_wait_timeout = 1";
    }

    private static String table(String keyColumns, String rest) {
        return "CREATE TABLE %s (" + keyColumns + OTHERS + rest + ")";
    }

    private static String idAs(String type) {
        return table(BYTES.replace("VARBINARY(1020)", type), KEY);
    }

    @Override
    public Map<String, String> unfitTables() {
        String fit = table(BYTES, KEY);
        Map<String, String> unfit = new LinkedHashMap<>();
        unfit.put("no key", table(BYTES, ""));
        unfit.put(
                "surrogate key",
                table("n BIGINT AUTO_INCREMENT PRIMARY KEY, " + BYTES, KEY.replace("PRIMARY", "UNIQUE")));
        unfit.put("wider key", table(BYTES, ", PRIMARY KEY (tenant, consumer, event_id, claimed_at)"));
        unfit.put("narrower key", table(BYTES, ", PRIMARY KEY (consumer, event_id)"));
        unfit.put("key in another order", table(BYTES, ", PRIMARY KEY (event_id, consumer, tenant)"));
        unfit.put("key over a part", table(BYTES, ", PRIMARY KEY (tenant, consumer, event_id(100))"));
        unfit.put("another unique key", table(BYTES, KEY + ", UNIQUE (payload_hash)"));
        unfit.put(
                "partitioned by time",
                table(BYTES, ", PRIMARY KEY (tenant, consumer, event_id, claimed_at)")
                        + " PARTITION BY RANGE COLUMNS (claimed_at) (PARTITION p VALUES LESS THAN (MAXVALUE))");
        unfit.put(
                "generated hash",
                fit.replace("payload_hash VARBINARY(64) NOT NULL", "payload_hash VARBINARY(64) AS (tenant) STORED"));
        unfit.put("engine without transactions", fit.replace("VARBINARY(1020)", "VARBINARY(100)") + " ENGINE = MyISAM");
        unfit.put("case-insensitive text", idAs("VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"));
        unfit.put("padding text", idAs("VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"));
        unfit.put("char", idAs("CHAR(255)"));
        unfit.put("binary", idAs("BINARY(255)"));
        unfit.put("number", idAs("BIGINT"));
        unfit.put("short", idAs("VARBINARY(1019)"));
        unfit.put("short hash", fit.replace("VARBINARY(64)", "VARBINARY(32)"));
        unfit.put("hash as text", fit.replace("payload_hash VARBINARY(64)", "payload_hash VARCHAR(64)"));
        unfit.put("claim id as text", fit.replace("BINARY(16)", "CHAR(36)"));
        unfit.put(
                "time in the session's zone",
                fit.replace("DATETIME(6) NOT NULL", "TIMESTAMP(6) NOT NULL DEFAULT now(6)"));
        unfit.put("time in seconds", fit.replace("DATETIME(6)", "DATETIME"));
        unfit.put("missing column", fit.replace(" claim_id BINARY(16) NOT NULL,", ""));
        unfit.put("further column", table(BYTES + ", more INT NOT NULL", KEY));
        unfit.put("trigger", fit + ";\nCREATE TRIGGER %s_t BEFORE INSERT ON %s FOR EACH ROW SET NEW.tenant = 'x'");
        unfit.put(
                "foreign key",
                table(BYTES + ", other VARCHAR(80)", KEY + ", FOREIGN KEY (other) REFERENCES kit_account (id)"));
        if (!server.isMariaDb()) { // which refuses it itself
            unfit.put("generated id", idAs("VARBINARY(1020) AS (concat(consumer, 'x')) STORED"));
        }
        if (server != Servers.MYSQL80) {
            unfit.put("check", table(BYTES, KEY + ", CHECK (length(event_id) < 100)"));
        }
        return unfit;
    }
}
