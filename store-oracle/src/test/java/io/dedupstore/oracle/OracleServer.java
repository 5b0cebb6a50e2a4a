package io.dedupstore.oracle;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.oracle.OracleContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A real Oracle for the kit: {@code -Ddedup.oracle.url}, with the user and the password in {@code -Ddedup.oracle.user} and the
 * environment's {@code DEDUP_ORACLE_PASSWORD}, else a container engine. Where there is none, the tests that need one are
 * reported as not run, and fail if {@code -Ddedup.require=oracle} is given.
 *
 * <p>The user needs its own empty schema, CREATE SESSION, CREATE TABLE, a quota, EXECUTE on SYS.DBMS_LOCK and SELECT on
 * SYS.V_$SESSION.
 */
final class OracleServer {
    private static final String URL = "dedup.oracle.url";
    private static final String IMAGE = "gvenzl/oracle-free:23.26.0-slim-faststart";
    private static final String VERSION_UNKNOWN = "an Oracle that did not say its version";

    private static HikariDataSource pool;
    private static String version = VERSION_UNKNOWN;

    private OracleServer() {}

    /** Asked by the contract classes; true also if one is required and none is there, so that they fail. */
    static boolean wanted() {
        return given() || containerEngine() || required();
    }

    private static boolean given() {
        return System.getProperty(URL) != null;
    }

    private static boolean required() {
        return Arrays.asList(System.getProperty("dedup.require", "").split(",")).contains("oracle");
    }

    static String whyNone() {
        return given() || containerEngine()
                ? "the kit was not chosen, or the server could not be used"
                : "no -D" + URL + " and no container engine";
    }

    static String version() {
        return version;
    }

    /** Testcontainers looks long, and complains aloud, where there is none. */
    private static boolean containerEngine() {
        boolean likely = System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
        return likely && DockerClientFactory.instance().isDockerAvailable();
    }

    static synchronized HikariDataSource pool() throws SQLException {
        if (pool == null) {
            HikariConfig config = given() ? ofUser() : ofContainer();
            config.setMaximumPoolSize(24);
            config.setMinimumIdle(0);
            pool = new HikariDataSource(config);
            version = versionOf(pool);
        }
        return pool;
    }

    private static HikariConfig ofUser() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getProperty(URL));
        config.setUsername(System.getProperty("dedup.oracle.user"));
        config.setPassword(System.getenv("DEDUP_ORACLE_PASSWORD"));
        return config;
    }

    private static HikariConfig ofContainer() throws SQLException {
        if (!containerEngine()) {
            throw new AssertionError("No Oracle to test with, but -Ddedup.require names it");
        }
        OracleContainer container = new OracleContainer(DockerImageName.parse(IMAGE));
        container.start(); // ends with this JVM
        try (Connection connection =
                        DriverManager.getConnection(container.getJdbcUrl(), "system", container.getPassword());
                Statement statement = connection.createStatement()) {
            statement.execute("GRANT EXECUTE ON SYS.DBMS_LOCK TO " + container.getUsername());
            statement.execute("GRANT SELECT ON SYS.V_$SESSION TO " + container.getUsername());
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(container.getJdbcUrl());
        config.setUsername(container.getUsername());
        config.setPassword(container.getPassword());
        return config;
    }

    private static String versionOf(HikariDataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return connection.getMetaData().getDatabaseProductVersion().replace('\n', ' ') + ", driver "
                    + connection.getMetaData().getDriverVersion();
        }
    }
}
