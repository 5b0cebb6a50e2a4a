package io.dedupstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteConnection;

/**
 * How long SQLite waits for other writers, changed for some statements and then put back (A7). Asked of SQLite and told to it
 * directly: the driver's setting does not know what a PRAGMA has set.
 */
final class BusyWait implements AutoCloseable {
    private static final String PRAGMA = "PRAGMA busy_timeout";

    private final SQLiteConnection connection;
    private final int before;

    private BusyWait(SQLiteConnection connection, int before) {
        this.connection = connection;
        this.before = before;
    }

    /** What the connection's user has set, in milliseconds. */
    static int now(SQLiteConnection connection) throws SQLException {
        return Statements.use(connection, PRAGMA, statement -> {
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : connection.getBusyTimeout();
            }
        });
    }

    /** Waits at most so long, not at all if nothing is left, and puts back what is set now. */
    static BusyWait of(SQLiteConnection connection, Duration atMost) throws SQLException {
        return of(connection, atMost, now(connection));
    }

    /** Waits at most so long, and puts back what is known to have been set. */
    static BusyWait of(SQLiteConnection connection, Duration atMost, int before) throws SQLException {
        connection.getDatabase().busy_timeout((int) Math.max(0, atMost.toMillis()));
        return new BusyWait(connection, before);
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            connection.getDatabase().busy_timeout(before);
        }
    }
}
