package io.dedupstore.sqlite;

import io.dedupstore.StoreConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of this JVM's owned claims in front of one database's single writer. First come, first served: with
 * {@code busy_timeout} alone, whoever polls at the right moment wins, and measured over four seconds one of eight threads
 * got no turn at all. Stores on the same file share a queue, however they spell its path.
 */
final class WriterQueue {
    private static final ConcurrentMap<Path, WriterQueue> BY_DATABASE = new ConcurrentHashMap<>();

    private final ReentrantLock turn = new ReentrantLock(true);

    /** The queue of the database that a connection has under a schema's name. */
    static WriterQueue of(Connection connection, @Nullable String schema) throws SQLException {
        if (String.valueOf(connection.getMetaData().getURL()).contains("cache=shared")) {
            throw new StoreConfigurationException(
                    "The URL asks for a shared cache, in which SQLite locks tables and does"
                            + " not wait for them (SQLITE_LOCKED comes at once), so that a wait cannot be bounded. Use a file"
                            + " without cache=shared; for a memory database, a pool of one connection.");
        }
        String file = file(connection, schema == null ? "main" : schema);
        // a memory database belongs to its one connection
        return file.isEmpty()
                ? new WriterQueue()
                : BY_DATABASE.computeIfAbsent(real(Path.of(file)), path -> new WriterQueue());
    }

    private static String file(Connection connection, String schema) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet databases = statement.executeQuery("PRAGMA database_list")) {
            while (databases.next()) {
                if (databases.getString("name").equalsIgnoreCase(schema)) {
                    String file = databases.getString("file");
                    return file == null ? "" : file;
                }
            }
            return "";
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            // not created yet; SQLite itself has made the path absolute
            return file.toAbsolutePath().normalize();
        }
    }

    boolean isMine() {
        return turn.isHeldByCurrentThread();
    }

    /** Waits for this thread's turn; false if it did not come in time. */
    boolean enter(Duration atMost) throws InterruptedException {
        return turn.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    void leave() {
        turn.unlock();
    }

    /** How many threads wait, for tests. */
    int waiting() {
        return turn.getQueueLength();
    }
}
