package io.dedupstore.servers.rules;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Threads, and bounded polls instead of sleeps. */
public final class Concurrently {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Concurrently() {}

    /**
     * Does something in a thread of its own.
     *
     * @param task what
     * @return its result, once it has one
     * @param <T> of the result
     */
    public static <T> Future<T> run(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /**
     * Waits until something has happened; fails if it does not.
     *
     * @param what its name
     * @param happened whether it has
     */
    public static void await(String what, Callable<Boolean> happened) {
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
}
