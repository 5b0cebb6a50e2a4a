package io.dedupstore.benchmarks;

import static io.dedupstore.benchmarks.Contender.BY_HAND;
import static io.dedupstore.benchmarks.Contender.CAMEL;
import static io.dedupstore.benchmarks.Contender.DEDUP_STORE;
import static io.dedupstore.benchmarks.Contender.EVENTUATE;
import static io.dedupstore.benchmarks.Contender.SPRING_INTEGRATION;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoublePredicate;

/** What this library sets itself to reach, held against the figures of one run. What was not measured has no line. */
final class Targets {
    private static final Set<Contender> PEERS = Set.of(EVENTUATE, SPRING_INTEGRATION, CAMEL);

    /**
     * One target.
     *
     * @param database where
     * @param what is compared
     * @param measured the figure
     * @param bound in words
     * @param met whether the figure keeps to it
     */
    record Line(Database database, String what, double measured, String bound, boolean met) {}

    private final List<Line> lines = new ArrayList<>();
    private final List<Row> rows;
    private final Database database;

    private Targets(List<Row> rows, Database database) {
        this.rows = rows;
        this.database = database;
    }

    /** The targets on every database. */
    static List<Line> of(List<Row> rows) {
        List<Line> all = new ArrayList<>();
        for (Database database : Database.values()) {
            Targets targets = new Targets(rows, database);
            targets.beside();
            targets.together();
            all.addAll(targets.lines);
        }
        return all;
    }

    /** One thread, beside others that do the same. */
    private void beside() {
        String fresh = "FreshClaim.owned";
        String duplicate = "DuplicateClaim.unmarked";
        atMost("first delivery, to by hand", ratio(fresh, score(fresh, BY_HAND)), 1.03);
        atMost("first delivery, to the fastest peer", ratio(fresh, fastestPeer(fresh)), 1.03);
        below("duplicate, to the fastest peer", ratio(duplicate, fastestPeer(duplicate)), 1);
    }

    /** Many threads, and many claims. */
    private void together() {
        Optional<Row> hot = row("Contention.sameKey hold 5", DEDUP_STORE, 32);
        atLeast("32 threads on one event: slowest to mean", beside(hot, Extras.SLOWEST), 0.5);
        atMost("32 threads on one event: errors per 1,000", beside(hot, Extras.ERRORS), 0);
        OptionalDouble held = beside(row("Neighbours.besideAHeldKey", DEDUP_STORE, 3), "neighbour");
        OptionalDouble other = beside(row("Neighbours.besideOtherKeys", DEDUP_STORE, 3), "undisturbed");
        atLeast("beside a held key, to beside others", quotient(held, other), 0.95);
        atMost(
                "first delivery, 1,000,000 stored to 10,000",
                quotient(
                        score("Growth.fresh stored 1000000", DEDUP_STORE),
                        score("Growth.fresh stored 10000", DEDUP_STORE)),
                1.2);
    }

    private OptionalDouble ratio(String benchmark, OptionalDouble to) {
        return quotient(score(benchmark, DEDUP_STORE), to);
    }

    private static OptionalDouble quotient(OptionalDouble of, OptionalDouble to) {
        return of.isPresent() && to.isPresent()
                ? OptionalDouble.of(of.getAsDouble() / to.getAsDouble())
                : OptionalDouble.empty();
    }

    private OptionalDouble score(String benchmark, Contender contender) {
        return row(benchmark, contender, 1)
                .map(found -> OptionalDouble.of(found.score()))
                .orElse(OptionalDouble.empty());
    }

    private OptionalDouble fastestPeer(String benchmark) {
        return PEERS.stream()
                .map(peer -> score(benchmark, peer))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .min();
    }

    private static OptionalDouble beside(Optional<Row> row, String name) {
        Double found = row.map(known -> known.beside().get(name)).orElse(null);
        return found == null ? OptionalDouble.empty() : OptionalDouble.of(found);
    }

    private Optional<Row> row(String benchmark, Contender contender, int threads) {
        return rows.stream()
                .filter(row -> row.database() == database
                        && row.benchmark().equals(benchmark)
                        && row.contender() == contender
                        && row.threads() == threads)
                .findFirst();
    }

    private void atMost(String what, OptionalDouble measured, double bound) {
        add(what, measured, "at most " + bound, value -> value <= bound);
    }

    private void below(String what, OptionalDouble measured, double bound) {
        add(what, measured, "below " + bound, value -> value < bound);
    }

    private void atLeast(String what, OptionalDouble measured, double bound) {
        add(what, measured, "at least " + bound, value -> value >= bound);
    }

    private void add(String what, OptionalDouble measured, String bound, DoublePredicate met) {
        measured.ifPresent(value -> lines.add(new Line(database, what, value, bound, met.test(value))));
    }
}
