package io.dedupstore.examples.drill;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A database of somebody's own: only consumers, locks and work are broken, and nothing but the drill's tables touched. */
final class GivenArena implements Arena {
    private static final Duration HELD = Duration.ofMillis(1200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String url;

    GivenArena(String url) {
        this.url = url;
    }

    @Override
    public String consumersUrl() {
        return url;
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public List<Fault> faults() {
        return List.of(Arena.holdLock(url, HELD));
    }

    /**
     * How to see another session's end differs from database to database. But the consumers have ended, so whose
     * transaction can still be committed has sent the commit already, and has changed accounts before: when nobody holds
     * any of them, nothing more comes.
     */
    @Override
    public void settle() throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE " + Bank.ACCOUNT + " SET balance = balance");
                return;
            } catch (SQLException held) {
                if (System.nanoTime() > deadline) {
                    throw held;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    @Override
    public void close() {
        // not ours
    }
}
