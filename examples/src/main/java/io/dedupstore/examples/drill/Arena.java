package io.dedupstore.examples.drill;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The database of a drill, and how it can be broken: one small class for each kind. */
interface Arena extends AutoCloseable {
    /** {@return the URL of the consumers} */
    String consumersUrl();

    /** {@return the URL of the checker, past everything that is broken on purpose} */
    String url();

    /** {@return what can be broken around the consumers} */
    List<Fault> faults();

    /** {@return a statement that fails, and breaks or ends its transaction where the database does that} */
    default String spoiling() {
        return "INSERT INTO " + Bank.ACCOUNT + " (id, balance) VALUES (1, 0)";
    }

    /** {@return what can go wrong in the consumers} */
    default Set<Trouble> troubles() {
        return EnumSet.complementOf(EnumSet.of(Trouble.NONE, Trouble.LOCKS_DOWN));
    }

    /** Waits until nobody is at work any more, so that the tables are final. */
    void settle() throws SQLException;

    @Override
    void close() throws IOException;

    /** Holds the lock of a row, or of the file, longer than any statement waits for it. */
    static Fault holdLock(String url, Duration time) {
        return Fault.of("lock held too long", random -> {
            try (Connection connection = DriverManager.getConnection(url)) {
                connection.setAutoCommit(false);
                try (PreparedStatement lock =
                        connection.prepareStatement("UPDATE " + Bank.ACCOUNT + " SET balance = balance WHERE id = ?")) {
                    lock.setInt(1, 1 + random.nextInt(Transfer.ACCOUNTS));
                    lock.executeUpdate();
                    pause(time);
                } finally {
                    connection.rollback();
                }
            } catch (SQLException busy) {
                return 0; // somebody else held it
            }
            return 1;
        });
    }

    /** A fault's time; not a wait for something to have happened. */
    static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /** {@return a time up to so many milliseconds} */
    static Duration upTo(Random random, int millis) {
        return Duration.ofMillis(1 + random.nextInt(millis));
    }
}
