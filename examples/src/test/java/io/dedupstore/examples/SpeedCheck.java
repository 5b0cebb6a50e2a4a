package io.dedupstore.examples;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

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
                Connection one = database.connect();
                HikariDataSource pool = database.pool(1)) {
            DedupStore store = DedupStore.builder(always(one)).build();
            DedupStore pooled = DedupStore.builder(pool).build();
            Jdbi jdbi = Jdbi.create(always(database.connect()));
            for (int i = 0; i < EVENTS; i++) {
                apply(store, CheckDatabase.event("again", i), i);
            }
            List<Measured> all = List.of(
                    new Measured("a  JDBC, BEGIN IMMEDIATE", true, raw::apply),
                    new Measured("a' JDBC, setAutoCommit(false)", true, autoCommitOff::apply),
                    new Measured("j  Jdbi transaction, no claim", true, (event, account) -> plain(jdbi, account)),
                    new Measured("b  store, one connection", true, (event, account) -> apply(store, event, account)),
                    new Measured("b' store, HikariCP", true, (event, account) -> apply(pooled, event, account)),
                    new Measured(
                            "c  duplicate, redelivered",
                            false,
                            (event, account) -> apply(store, event.redelivered(true), account)),
                    new Measured("d  duplicate, not marked", false, (event, account) -> apply(store, event, account)),
                    new Measured(
                            "e  store, work in plain JDBC",
                            true,
                            (event, account) -> applyWithJdbc(store, event, account)));
            measure(all);
            print(all);
        }
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
    }

    private static void print(List<Measured> all) {
        for (Measured measured : all) {
            System.out.printf(
                    "%-32s %8.1f us, of which CPU %6.1f us%n", measured.name, measured.median(), measured.cpu());
        }
        double a = Math.min(all.get(0).median(), all.get(1).median());
        double b = all.get(3).median();
        System.out.printf("b/a  = %.3f (target 1.05 at most; a is the faster of both)%n", b / a);
        System.out.printf(
                "e/a  = %.3f (the same without Jdbi's statement)%n", all.get(7).median() / a);
        System.out.printf("b'/a = %.3f%n", all.get(4).median() / a);
        System.out.printf("c/b  = %.3f (target 0.15 at most)%n", all.get(5).median() / b);
        System.out.printf("d/b  = %.3f%n", all.get(6).median() / b);
    }

    /** The engine alone, against (a): the same UPDATE by the same means, but for being prepared each time. */
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

    private static void plain(Jdbi jdbi, int account) {
        jdbi.useTransaction(handle -> handle.execute(CheckDatabase.CREDIT, 2500, account));
    }

    /** A data source that always hands out the same connection and never closes it. */
    private static DataSource always(Connection connection) {
        ClassLoader loader = SpeedCheck.class.getClassLoader();
        Connection kept =
                (Connection) Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, (self, m, args) -> {
                    if (m.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return m.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, (self, m, args) -> kept);
    }
}
