package io.dedupstore.examples;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the store costs, beside hand-written JDBC: SQLite, WAL, FULL, one thread, all variants in one run, in short
 * rounds whose order changes, so that a slow disk is slow for all. On a busy machine the CPU time is the
 * steadier figure.
 */
final class SpeedCheck {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 150;
    private static final int ROUNDS = 60;
    private static final int EVENTS = 50;

    /** One way to apply an event. */
    private interface Way {
        void apply(Event event, int account) throws Exception;
    }

    private static final class Measured {
        private final String name;
        private final Way way;
        private final boolean fresh;
        private final List<Long> nanos = new ArrayList<>();
        private final List<Long> cpuNanos = new ArrayList<>();

        Measured(String name, boolean fresh, Way way) {
            this.name = name;
            this.way = way;
            this.fresh = fresh;
        }

        void round(int round) throws Exception {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < EVENTS; i++) {
                events.add(fresh ? CheckDatabase.event(name, round * EVENTS + i) : CheckDatabase.event("again", i));
            }
            long cpuStart = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < EVENTS; i++) {
                long start = System.nanoTime();
                way.apply(events.get(i), CheckDatabase.account(i));
                nanos.add(System.nanoTime() - start);
            }
            cpuNanos.add((THREADS.getCurrentThreadCpuTime() - cpuStart) / EVENTS);
        }

        void forget() {
            nanos.clear();
            cpuNanos.clear();
        }

        double median() {
            return median(nanos);
        }

        double cpu() {
            return median(cpuNanos);
        }

        private static double median(List<Long> nanos) {
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted[sorted.length / 2] / 1000.0;
        }
    }

    private SpeedCheck() {}

    /** Prints medians and ratios. */
    public static void main(String[] args) throws Exception {
        try (CheckDatabase database = new CheckDatabase(5000);
                HandWritten raw = new HandWritten(database.connect(), true);
                HandWritten autoCommitOff = new HandWritten(database.connect(), false);
                HandWritten withJdbi = new HandWritten(database.connect(), true);
                HikariDataSource pool = database.pool(1)) {
            DedupStore store = DedupStore.builder(pool).build();
            for (int i = 0; i < EVENTS; i++) {
                apply(store, CheckDatabase.event("again", i), i);
            }
            Measured a = new Measured("a  JDBC, BEGIN IMMEDIATE", true, raw::apply);
            Measured a2 = new Measured("a' JDBC, setAutoCommit(false)", true, autoCommitOff::apply);
            Measured j = new Measured("j  as a, UPDATE by Jdbi", true, withJdbi::applyWithJdbi);
            Measured b = new Measured(
                    "b  store, UPDATE by JDBC", true, (event, account) -> applyWithJdbc(store, event, account));
            Measured bj =
                    new Measured("bj store, UPDATE by Jdbi", true, (event, account) -> apply(store, event, account));
            Measured c = new Measured(
                    "c  duplicate, redelivered",
                    false,
                    (event, account) -> apply(store, event.redelivered(true), account));
            Measured d =
                    new Measured("d  duplicate, not marked", false, (event, account) -> apply(store, event, account));
            measure(List.of(a, a2, j, b, bj, c, d));
            double best = Math.min(a.median(), a2.median());
            print("b / a", b.median() / best, "target 1.05 at most; a is the faster of both");
            print("bj / a", bj.median() / best, "with what Jdbi's statement costs");
            print("bj / j", bj.median() / j.median(), "Jdbi's statement on both sides");
            print("c / bj", c.median() / bj.median(), "target 0.15 at most");
            print("d / bj", d.median() / bj.median(), "");
        }
    }

    private static void print(String name, double ratio, String comment) {
        System.out.printf("%-7s= %.3f  %s%n", name, ratio, comment);
    }

    private static void measure(List<Measured> all) throws Exception {
        List<Measured> order = new ArrayList<>(all);
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            if (round == WARM_UP) {
                all.forEach(Measured::forget);
            }
            Collections.shuffle(order);
            for (Measured measured : order) {
                measured.round(round);
            }
        }
        for (Measured measured : all) {
            System.out.printf(
                    "%-32s %8.1f us, of which CPU %6.1f us%n", measured.name, measured.median(), measured.cpu());
        }
    }

    /** The same UPDATE by the same means as in (a), but that it is written as if it were prepared each time. */
    private static void applyWithJdbc(DedupStore store, Event event, int account) throws SQLException {
        store.claimAndApply(event, handle -> {
            try (PreparedStatement credit = handle.getConnection().prepareStatement(CheckDatabase.CREDIT)) {
                credit.setLong(1, 2500);
                credit.setInt(2, account);
                return credit.executeUpdate();
            }
        });
    }

    private static void apply(DedupStore store, Event event, int account) {
        store.claimAndApply(event, handle -> handle.execute(CheckDatabase.CREDIT, 2500, account));
    }
}
