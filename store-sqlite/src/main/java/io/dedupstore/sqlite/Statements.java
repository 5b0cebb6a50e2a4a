package io.dedupstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteConnection;

/**
 * The store's few statements and the work's, prepared once per connection: the driver has no cache of its own, and preparing
 * them anew costs about as much as running them. A statement is used by the thread that has its connection, and ends with
 * it.
 */
final class Statements {
    /** The store's own are six; of the work's, the least lately used is closed. */
    private static final int MOST_PER_CONNECTION = 64;

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
        PreparedStatement statement = take(connection, prepared, sql);
        try {
            T result = use.of(statement);
            prepared.put(sql, statement);
            return result;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** How many are kept for a connection, for tests. */
    static int kept(SQLiteConnection connection) throws SQLException {
        return of(connection).size();
    }

    /** A statement of this text, which nobody else has until it is given back. */
    static PreparedStatement take(SQLiteConnection connection, String sql) throws SQLException {
        return take(connection, of(connection), sql);
    }

    private static PreparedStatement take(
            SQLiteConnection connection, Map<String, PreparedStatement> prepared, String sql) throws SQLException {
        // taken out while it runs: after an error the driver's statement cannot be run again
        PreparedStatement known = prepared.remove(sql);
        return known == null || known.isClosed() ? connection.prepareStatement(sql) : known;
    }

    /** Keeps a statement for the next one who takes it. */
    static void giveBack(SQLiteConnection connection, String sql, PreparedStatement statement) throws SQLException {
        Map<String, PreparedStatement> prepared = of(connection);
        PreparedStatement twin = prepared.put(sql, statement);
        if (twin != null) {
            twin.close();
        }
        if (prepared.size() > MOST_PER_CONNECTION) {
            Iterator<PreparedStatement> oldest = prepared.values().iterator();
            oldest.next().close();
            oldest.remove();
        }
    }

    private static Map<String, PreparedStatement> of(SQLiteConnection connection) throws SQLException {
        LOCK.lock();
        try {
            Map<String, PreparedStatement> known = BY_CONNECTION.get(connection);
            if (known == null) {
                sweep();
                known = new LinkedHashMap<>();
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
