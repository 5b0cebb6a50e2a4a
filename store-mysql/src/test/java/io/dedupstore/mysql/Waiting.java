package io.dedupstore.mysql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Bounded polls instead of sleeps. */
final class Waiting {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Waiting() {}

    static void until(String what, Callable<Boolean> happened) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!happened.call()) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("Not within " + PATIENCE + ": " + what);
                }
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        } catch (Exception e) {
            throw new AssertionError(what, e);
        }
    }

    static boolean answers(String url) {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }
}
