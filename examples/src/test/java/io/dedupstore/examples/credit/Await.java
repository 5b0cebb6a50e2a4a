package io.dedupstore.examples.credit;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what a broker shows only when asked. */
public final class Await {
    private static final long PATIENCE_S = 60;

    private Await() {}

    /**
     * Asks again and again.
     *
     * @param what is waited for, for the failure's message
     * @param condition what to ask
     */
    public static void until(String what, Callable<Boolean> condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!holds(condition)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not within " + PATIENCE_S + " s: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static boolean holds(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
