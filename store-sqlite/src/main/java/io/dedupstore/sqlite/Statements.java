package io.dedupstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteConnection;

/**
 * The store's few statements, prepared once per connection: the driver has no cache of its own, and preparing them anew
 * costs about as much as running them. A statement is used by the thread that has its connection, and ends with it.
 */
final class Statements {
    private static final ReentrantLock LOCK = new ReentrantLock();

    // the values lead back to their keys, so the weak keys alone would keep nothing from piling up: see sweep()
    private static final WeakHashMap<SQLiteConnection, Map<String, PreparedStatement>> BY_CONNECTION =
            new WeakHashMap<>();

    private Statements() {}

    /** What is done with a prepared statement. */
    interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Runs a statement of this text; the use closes its rows, and leaves the statement open. */
    static <T> T use(SQLiteConnection connection, String sql, Use<T> use) throws SQLException {
        Map<String, PreparedStatement> prepared = of(connection);
        // taken out while it runs: after an error the driver's statement cannot be run again
        PreparedStatement known = prepared.remove(sql);
        PreparedStatement statement = known == null || known.isClosed() ? connection.prepareStatement(sql) : known;
        try {
            T result = use.of(statement);
            prepared.put(sql, statement);
            return result;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static Map<String, PreparedStatement> of(SQLiteConnection connection) throws SQLException {
        LOCK.lock();
        try {
            Map<String, PreparedStatement> known = BY_CONNECTION.get(connection);
            if (known == null) {
                sweep();
                known = new HashMap<>(8);
                BY_CONNECTION.put(connection, known);
            }
            return known;
        } finally {
            LOCK.unlock();
        }
    }

    /** Forgets what has been closed; called when a connection is new, so never more than their number remains. */
    private static void sweep() throws SQLException {
        for (SQLiteConnection connection : BY_CONNECTION.keySet().toArray(SQLiteConnection[]::new)) {
            if (connection.isClosed()) {
                BY_CONNECTION.remove(connection);
            }
        }
    }
}
