package io.dedupstore.examples;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * How evenly one SQLite file (WAL, FULL) serves eight threads of one JVM, by the store and by plain JDBC with
 * {@code busy_timeout}, one after the other in one run.
 */
final class FairnessCheck {
    private static final int THREADS = 8;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(4);

    /** One thread's way to apply events. */
    private interface Way extends AutoCloseable {
        void apply(String series, int number) throws Exception;

        @Override
        default void close() throws SQLException {}
    }

    private interface Ways {
        Way forOneThread() throws SQLException;
    }

    private record Served(int count, long longestNanos) {}

    private FairnessCheck() {}

    /** Prints what each thread got. */
    public static void main(String[] args) throws Exception {
        try (CheckDatabase database = new CheckDatabase(10_000);
                HikariDataSource pool = database.pool(THREADS)) {
            DedupStore store = DedupStore.builder(pool).build();
            Ways storeWays = () -> (series, number) -> store.claimAndApply(
                    CheckDatabase.event(series, number),
                    handle -> handle.execute(CheckDatabase.CREDIT, 2500, CheckDatabase.account(number)));
            run("warm-up", storeWays, NANOS / 4);
            print("store", run("store", storeWays, NANOS));
            print("busy_timeout", run("plain", () -> plain(new HandWritten(database.connect(), true)), NANOS));
            System.out.println(
                    "Targets for the store: slowest at least 60 percent of the mean, longest wait under 100 ms");
        }
    }

    private static Way plain(HandWritten byHand) {
        return new Way() {
            @Override
            public void apply(String series, int number) throws SQLException {
                byHand.apply(CheckDatabase.event(series, number), CheckDatabase.account(number));
            }

            @Override
            public void close() throws SQLException {
                byHand.close();
            }
        };
    }

    private static List<Served> run(String name, Ways ways, long nanos) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CountDownLatch ready = new CountDownLatch(THREADS);
        try {
            List<Future<Served>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String series = name + i;
                futures.add(threads.submit(() -> serve(series, ways, ready, nanos)));
            }
            List<Served> served = new ArrayList<>();
            for (Future<Served> future : futures) {
                served.add(future.get());
            }
            return served;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Served serve(String series, Ways ways, CountDownLatch ready, long nanos) throws Exception {
        try (Way way = ways.forOneThread()) {
            ready.countDown();
            ready.await();
            long end = System.nanoTime() + nanos;
            long longest = 0;
            int count = 0;
            for (long now = System.nanoTime(); now < end; count++) {
                way.apply(series, count);
                long then = System.nanoTime();
                longest = Math.max(longest, then - now);
                now = then;
            }
            return new Served(count, longest);
        }
    }

    private static void print(String name, List<Served> served) {
        int[] counts = served.stream().mapToInt(Served::count).sorted().toArray();
        double mean = Arrays.stream(counts).average().orElseThrow();
        long longest = served.stream().mapToLong(Served::longestNanos).max().orElseThrow();
        System.out.printf(
                "%-13s %7.0f events/s; slowest %3.0f %% of the mean; longest wait %7.1f ms; per thread %s%n",
                name,
                mean * THREADS * 1e9 / NANOS,
                100.0 * counts[0] / mean,
                longest / 1e6,
                Arrays.stream(counts).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
    }
}
