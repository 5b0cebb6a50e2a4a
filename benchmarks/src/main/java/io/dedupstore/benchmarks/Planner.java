package io.dedupstore.benchmarks;

import io.dedupstore.benchmarks.Arguments.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** Capacity from measured figures and a team's own numbers; each line with its formula. */
final class Planner {
    /** How busy a database may be at the peak: beyond that, queues grow faster than the load. */
    private static final double BUSY = 0.7;

    private static final double SECONDS_OF_A_DAY = 86_400;
    private static final String FRESH = "FreshClaim.owned";
    private static final String DUPLICATE = "DuplicateClaim.redelivered";

    private final Measured measured;
    private final Load load;
    private final List<String> lines = new ArrayList<>();

    Planner(Measured measured, Load load) {
        this.measured = measured;
        this.load = load;
    }

    List<String> plan() throws UsageException {
        rows();
        connections();
        capacity();
        waits();
        return lines;
    }

    private void line(String what, String formula, Object... numbers) {
        lines.add(String.format(Locale.ROOT, "%-20s " + formula, prepend(what, numbers)));
    }

    private static Object[] prepend(String first, Object[] rest) {
        Object[] all = new Object[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private void rows() {
        double fresh = load.average() * (1 - load.redelivered());
        double rows = fresh * SECONDS_OF_A_DAY * load.retentionDays();
        line(
                "rows",
                "%,.0f = average %.1f/s x (1 - redelivered %.2f) x 86,400 s x %.1f days",
                rows,
                load.average(),
                load.redelivered(),
                load.retentionDays());
        measured.extra("Growth.fresh", "stored", Extras.BYTES)
                .ifPresentOrElse(
                        bytes -> line("disk", "%,.0f MB = rows x %.0f bytes measured", rows * bytes / 1e6, bytes),
                        () -> line("disk", "not known: the results have no Growth.fresh"));
        line("purge", "%.1f rows/s, all day = what is claimed: average x (1 - redelivered)", fresh);
    }

    /** Little's law. */
    private void connections() throws UsageException {
        double fresh = first(measured.micros(FRESH)) / 1e6;
        double duplicate = first(measured.micros(DUPLICATE)) / 1e6;
        double hold = load.holdMillis() / 1e3;
        double busy = load.peak() * ((1 - load.redelivered()) * (fresh + hold) + load.redelivered() * duplicate);
        double needed = Math.ceil(busy / BUSY);
        line(
                "connections",
                "%.0f, %.0f for each of %d instances = peak %.0f/s x ((1 - %.2f) x (fresh %.6f s + hold %.4f s)"
                        + " + %.2f x duplicate %.6f s) / %.1f",
                needed,
                Math.ceil(needed / load.instances()),
                load.instances(),
                load.peak(),
                load.redelivered(),
                fresh,
                hold,
                load.redelivered(),
                duplicate,
                BUSY);
    }

    private void capacity() throws UsageException {
        double fresh = most(measured.micros(FRESH));
        double duplicate = most(measured.micros(DUPLICATE));
        double capacity = together(fresh, duplicate, load.redelivered());
        line(
                "one database takes",
                "%,.0f deliveries/s = 1 / ((1 - %.2f) / %.0f fresh/s + %.2f / %.0f duplicates/s), the most that any"
                        + " number of threads reached",
                capacity,
                load.redelivered(),
                fresh,
                load.redelivered(),
                duplicate);
        double share = load.peak() / capacity;
        line(
                "one is enough",
                share <= BUSY
                        ? "yes: the peak is %.0f %% of that, at most %.0f %% is wise"
                        : "no: the peak is %.0f %%" + " of that, at most %.0f %% is wise. Split by tenant or consumer",
                100 * share,
                100 * BUSY);
    }

    private void waits() throws UsageException {
        Optional<Double> release = measured.percentile("LockWait.holderCommits", "99.0");
        if (release.isPresent()) {
            double fresh = first(measured.micros(FRESH)) / 1e3;
            double handOver = release.get() / 1e3;
            line(
                    "lock wait p99",
                    "%.1f ms, of a delivery that meets its twin = hold %.1f ms + fresh %.2f ms + hand-over p99 %.2f ms"
                            + " measured",
                    load.holdMillis() + fresh + handOver,
                    load.holdMillis(),
                    fresh,
                    handOver);
        }
    }

    /** What a mix of two kinds reaches, from what each reaches alone. */
    static double together(double fresh, double duplicate, double share) {
        return 1 / ((1 - share) / fresh + share / duplicate);
    }

    /** Operations a second with so many threads. */
    static double perSecond(Map.Entry<Integer, Double> microsByThreads) {
        return microsByThreads.getKey() * 1e6 / microsByThreads.getValue();
    }

    private static double most(NavigableMap<Integer, Double> micros) throws UsageException {
        return micros.entrySet().stream().mapToDouble(Planner::perSecond).max().orElseThrow(Planner::notMeasured);
    }

    private static double first(NavigableMap<Integer, Double> micros) throws UsageException {
        if (micros.isEmpty()) {
            throw notMeasured();
        }
        return micros.firstEntry().getValue();
    }

    private static UsageException notMeasured() {
        return new UsageException("The results lack " + FRESH + " or " + DUPLICATE
                + " of this database: measure it with the profile quick or full, without --only.");
    }
}
