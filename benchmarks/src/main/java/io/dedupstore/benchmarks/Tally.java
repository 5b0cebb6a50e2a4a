package io.dedupstore.benchmarks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What threads count beside the time, until {@link Extras} takes it at the iteration's end. */
final class Tally {
    private static final LongAdder ERRORS = new LongAdder();
    private static final LongAdder RETRIES = new LongAdder();
    private static final Map<Thread, LongAdder> DONE = new ConcurrentHashMap<>();

    private static volatile double bytes;

    private Tally() {}

    /** A stored claim takes so many bytes on the disk, indexes included; until told otherwise. */
    static void bytes(double perClaim) {
        bytes = perClaim;
    }

    static double bytes() {
        return bytes;
    }

    /** An error reached a caller. */
    static void error() {
        ERRORS.increment();
    }

    /** The library runs a transaction again, after a deadlock or the like. */
    static void retry() {
        RETRIES.increment();
    }

    /** The calling thread has ended one operation. */
    static void done() {
        DONE.computeIfAbsent(Thread.currentThread(), thread -> new LongAdder()).increment();
    }

    static void reset() {
        ERRORS.reset();
        RETRIES.reset();
        DONE.clear();
    }

    static boolean isUsed() {
        return !DONE.isEmpty();
    }

    static long errors() {
        return ERRORS.sum();
    }

    static long retries() {
        return RETRIES.sum();
    }

    /** What the slowest thread did in relation to the mean: 1 is perfectly fair, 0 starves. */
    static double slowestShare() {
        long[] counts = DONE.values().stream().mapToLong(LongAdder::sum).toArray();
        long sum = 0;
        long least = Long.MAX_VALUE;
        for (long count : counts) {
            sum += count;
            least = Math.min(least, count);
        }
        return sum == 0 ? 0 : (double) least * counts.length / sum;
    }
}
