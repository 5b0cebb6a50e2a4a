package io.dedupstore.examples.drill;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/** The business change, with or without trouble. */
final class Work {
    private static final long BETWEEN_LOCKS_MS = 60;

    private Work() {}

    static Transfer run(Handle tx, Handed delivery, String spoiling) {
        Transfer transfer = delivery.transfer();
        switch (delivery.trouble()) {
            case THROWS -> {
                Bank.transfer(tx, transfer);
                throw new IllegalStateException("the business says no");
            }
            case SWALLOWS -> ignoringFailures(tx, transfer, spoiling);
            case COMMITS -> ignoringFailures(tx, transfer, "COMMIT");
            case INTERRUPTED -> {
                Thread.currentThread().interrupt();
                Bank.transfer(tx, transfer);
            }
            case OUTLASTS -> {
                Bank.transfer(tx, transfer);
                pause(Source.VISIBILITY.toMillis() + 100);
            }
            case LOCKS_UP -> locking(tx, transfer, Bank.HOT, Bank.HOT + 1);
            case LOCKS_DOWN -> locking(tx, transfer, Bank.HOT + 1, Bank.HOT);
            case DIES_IN_WORK -> {
                Bank.transfer(tx, transfer);
                Runtime.getRuntime().halt(1);
            }
            case NONE, DIES_AFTER_COMMIT -> Bank.transfer(tx, transfer);
        }
        return transfer;
    }

    /** Bad code: each statement's failure is ignored, and something between them breaks the transaction. */
    private static void ignoringFailures(Handle tx, Transfer t, String between) {
        ignoring(() -> Bank.add(tx, t.from(), -t.amount()));
        ignoring(() -> tx.execute(between));
        ignoring(() -> Bank.add(tx, t.to(), t.amount()));
        ignoring(() -> Bank.note(tx, t));
    }

    private static void ignoring(Runnable statement) {
        try {
            statement.run();
        } catch (JdbiException ignored) {
            return;
        }
    }

    private static void locking(Handle tx, Transfer transfer, int first, int second) {
        Bank.add(tx, first, 0);
        pause(BETWEEN_LOCKS_MS);
        Bank.add(tx, second, 0);
        Bank.transfer(tx, transfer);
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
