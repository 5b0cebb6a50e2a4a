package io.dedupstore.sqlite;

import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteConnection;

/**
 * How long SQLite waits for other writers, changed for some statements and then put back to what the user said (A7). Told to
 * SQLite directly: the driver's own setter builds texts each time, and would forget what the user said.
 */
final class BusyWait implements AutoCloseable {
    private final SQLiteConnection connection;

    private BusyWait(SQLiteConnection connection) {
        this.connection = connection;
    }

    /** Waits at most so long; not at all if nothing is left. */
    static BusyWait of(SQLiteConnection connection, Duration atMost) throws SQLException {
        connection.getDatabase().busy_timeout((int) Math.max(0, atMost.toMillis()));
        return new BusyWait(connection);
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            connection.getDatabase().busy_timeout(connection.getBusyTimeout());
        }
    }
}
