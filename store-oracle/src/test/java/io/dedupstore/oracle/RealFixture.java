package io.dedupstore.oracle;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import oracle.jdbc.OracleConnection;

/** The kit's server, real. */
final class RealFixture extends OracleFixture {
    private static final String WAITING = "SELECT COUNT(*) FROM v$session WHERE username = USER AND state = 'WAITING'"
            + " AND event IN ('enq: TX - row lock contention', 'enq: UL - contention')";

    private final HikariDataSource pool;

    RealFixture(boolean locking) {
        super(locking);
        try {
            this.pool = OracleServer.pool();
        } catch (SQLException e) {
            throw new AssertionError("The Oracle to test with cannot be used", e);
        }
    }

    /** The pool, whose connections know {@link OracleFixture#SHORT_WAITS}. */
    @Override
    public DataSource dataSource() {
        return EmulatedSession.proxy(DataSource.class, (self, method, args) -> {
            Object result = call(pool, method, args);
            return result instanceof Connection connection
                    ? EmulatedSession.proxy(Connection.class, new ShortWaits(connection)::invoke)
                    : result;
        });
    }

    private static Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** After the text, and until the transaction's end, the driver ends each statement's wait after a second. */
    private static final class ShortWaits {
        private final Connection connection;
        private boolean on;

        ShortWaits(Connection connection) {
            this.connection = connection;
        }

        Object invoke(Object self, Method method, Object[] args) throws Throwable {
            String name = method.getName();
            if (name.equals("equals")) {
                return self == args[0];
            }
            if (args != null && SHORT_WAITS.equals(args[0])) {
                on = true;
            }
            if (name.equals("close") || name.equals("commit") || (name.equals("rollback") && args == null)) {
                on = false;
            }
            Object result = call(connection, method, args);
            if (on && result instanceof Statement statement) {
                statement.setQueryTimeout(1);
            }
            return result;
        }
    }

    @Override
    public int waitingClaims() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WAITING)) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public Connection readOnlyConnection() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION READ ONLY");
        }
        return connection;
    }

    @Override
    public Connection driverConnection(Connection connection) throws SQLException {
        return connection.unwrap(OracleConnection.class);
    }

    /** The driver's clock ticks once a second; best effort, as the package's page says. */
    @Override
    public Duration allowedOvershoot() {
        return locking() ? super.allowedOvershoot() : Duration.ofSeconds(2);
    }

    /** And what the emulator cannot have. */
    @Override
    public Map<String, String> unfitTables() {
        Map<String, String> unfit = new LinkedHashMap<>(super.unfitTables());
        String fit = unfit.get("no key").replaceAll("\\)$", "") + ", CONSTRAINT %s_pk PRIMARY KEY (key_digest)";
        unfit.put("deferrable key", fit + " DEFERRABLE)");
        unfit.put("disabled key", fit + " DISABLE)");
        unfit.put("id in bytes", fit.replace("510 CHAR", "510 BYTE") + ")");
        unfit.put("read-only", fit + ");\nALTER TABLE %s READ ONLY");
        return unfit;
    }
}
