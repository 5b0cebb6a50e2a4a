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
        int before = connection.getBusyTimeout();
        connection.setBusyTimeout((int) Math.max(0, atMost.toMillis()));
        return new BusyWait(connection, before);
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            connection.setBusyTimeout(before);
        }
    }
}
