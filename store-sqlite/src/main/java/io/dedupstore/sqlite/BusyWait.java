package io.dedupstore.sqlite;

import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteConnection;

/** A connection's {@code busy_timeout}, changed for some statements and then put back (A7). */
final class BusyWait implements AutoCloseable {
    private final SQLiteConnection connection;
    private final int before;

    private BusyWait(SQLiteConnection connection, int before) {
        this.connection = connection;
        this.before = before;
    }

    /** Waits at most so long for other writers; not at all if nothing is left. */
    static BusyWait of(SQLiteConnection connection, Duration atMost) throws SQLException {
        BusyWait wait = new BusyWait(connection, connection.getBusyTimeout());
        wait.set(atMost);
        return wait;
    }

    /** Changes the bound again. The driver builds texts whenever it is told one, so only if it is another. */
    void set(Duration atMost) throws SQLException {
        // rounded up: a bound of which microseconds have passed is still that bound
        int millis = (int) Math.max(0, (atMost.toNanos() + 999_999) / 1_000_000);
        if (connection.getBusyTimeout() != millis) {
            connection.setBusyTimeout(millis);
        }
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed() && connection.getBusyTimeout() != before) {
            connection.setBusyTimeout(before);
        }
    }
}
