package io.dedupstore.oracle;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * An Oracle that is none: H2 in its Oracle mode, behind JDBC proxies that answer as Oracle's documentation and its driver
 * say. It tests how this module handles what we have read about Oracle, <em>not Oracle</em>.
 *
 * <p>Real, by H2: rows, constraints, transactions, savepoints, snapshots, row locks, empty strings as NULL, a session time
 * zone that is neither UTC nor the JVM's. Imitated: vendor codes, exception classes and texts; the wait for an uncommitted
 * key and its deadlocks; a close that commits; savepoints that cannot be released; read-only transactions; DBMS_LOCK; the
 * transaction's id; catalogue views; planned faults. Every statement with a name in quotes must be one that the module is known to send.
 *
 * <p>What it cannot show: whether Oracle waits, wakes and breaks off as it should, how fast, what its optimizer and rights
 * do, how often ORA-08177 comes, linguistic sorting, other character sets, RAC. Deferred constraints do not exist here.
 * Oracle undoes one statement of a deadlock; H2 undoes the transaction. The whole transaction is repeated in either case.
 */
final class EmulatedOracle implements DataSource {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String url = "jdbc:h2:mem:oracle" + NUMBER.incrementAndGet() + ";TIME ZONE=Asia/Kathmandu";
    private final EmulatedFailure.DuplicateText duplicateText;
    private final EmulatedLocks locks = new EmulatedLocks();
    private final EmulatedLocks keys = new EmulatedLocks();
    private final EmulatedFaults faults = new EmulatedFaults();

    EmulatedOracle(EmulatedFailure.DuplicateText duplicateText) {
        this.duplicateText = duplicateText;
        try (Connection h2 = DriverManager.getConnection(url + ";MODE=Oracle;DB_CLOSE_DELAY=-1");
                Statement statement = h2.createStatement()) {
            for (String sql : EmulatedCatalogue.SETUP) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError("The emulator could not be set up", e);
        }
    }

    EmulatedFailure.DuplicateText duplicateText() {
        return duplicateText;
    }

    /** Of DBMS_LOCK. */
    EmulatedLocks locks() {
        return locks;
    }

    /** Of keys that are claimed and not yet decided. */
    EmulatedLocks keys() {
        return keys;
    }

    EmulatedFaults faults() {
        return faults;
    }

    /** How many claims wait, for an uncommitted key or for a lock. */
    int waitingClaims() {
        return locks.waiting() + keys.waiting();
    }

    void transactionOver(EmulatedSession session) {
        keys.releaseAll(session);
        locks.releaseAll(session);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return new EmulatedSession(this, DriverManager.getConnection(url)).connection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
