package io.dedupstore.examples.drill;

import io.dedupstore.examples.UsageException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The drill's command line.
 *
 * @param database {@code sqlite}, {@code postgres}, {@code mysql}, {@code mariadb} or a URL
 * @param seed what the whole plan follows from
 * @param events how many events
 * @param faults how many faults are planned
 * @param consumers how many consumer processes
 * @param threads threads of each
 * @param most how long it may take
 * @param only a regular expression: faults whose kinds do not hold it are left out
 * @param maker the class that makes the consumers' store
 * @param flags what was said without a value
 */
record DrillOptions(
        String database,
        long seed,
        long events,
        int faults,
        int consumers,
        int threads,
        Duration most,
        String only,
        String maker,
        Set<Flag> flags) {
    static final String USAGE = "Usage: Drill --db sqlite|postgres|mysql|mariadb|JDBC-URL [--seed N] [--events N]"
            + " [--faults N] [--consumers N] [--threads N] [--minutes N] [--only REGEX] [--short] [--reset] [--help]"
            + System.lineSeparator()
            + "On the database of a URL, tables " + Bank.PREFIX + "* are created, and dropped in the end. If there are"
            + " such tables already the drill does not begin, unless --reset lets it drop them first."
            + System.lineSeparator();

    /** Options without a value. */
    enum Flag {
        HELP,
        RESET
    }

    /** Fills in what is not given. */
    static DrillOptions of(String database, long seed) {
        return new DrillOptions(
                database,
                seed,
                100_000,
                600,
                3,
                4,
                Duration.ofMinutes(60),
                "",
                StoreMaker.Plain.class.getName(),
                Set.of());
    }

    boolean help() {
        return flags.contains(Flag.HELP);
    }

    boolean reset() {
        return flags.contains(Flag.RESET);
    }

    DrillOptions shortForm() {
        return new DrillOptions(database, seed, 700, 24, 2, 4, Duration.ofMinutes(2), only, maker, flags);
    }

    /** Small, with one kind of fault only. */
    DrillOptions only(String kind) {
        return new DrillOptions(database, seed, 300, 15, 2, 4, Duration.ofMinutes(1), kind, maker, flags);
    }

    DrillOptions with(Class<? extends StoreMaker> other) {
        return new DrillOptions(database, seed, events, faults, consumers, threads, most, only, other.getName(), flags);
    }

    DrillOptions with(Flag flag) {
        Set<Flag> more = EnumSet.of(flag);
        more.addAll(flags);
        return new DrillOptions(database, seed, events, faults, consumers, threads, most, only, maker, more);
    }

    static DrillOptions parse(String[] args) throws UsageException {
        DrillOptions o = of("sqlite", System.nanoTime() & 0xffffff);
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--short" -> o = o.shortForm();
                case "--help" -> o = o.with(Flag.HELP);
                case "--reset" -> o = o.with(Flag.RESET);
                default -> o = o.option(args, i++);
            }
        }
        if (o.consumers < 1 || o.threads < 1 || o.events < 1 || o.faults < 0) {
            throw new UsageException("A number is too small.\n" + USAGE);
        }
        return o;
    }

    private DrillOptions option(String[] args, int i) throws UsageException {
        if (i + 1 >= args.length) {
            // not quoted: it may be a URL with a password
            throw new UsageException("Argument " + (i + 1) + " is no option, or lacks its value.\n" + USAGE);
        }
        String value = args[i + 1];
        if (args[i].equals("--only")) {
            return new DrillOptions(database, seed, events, faults, consumers, threads, most, value, maker, flags);
        }
        if (args[i].equals("--db")) {
            return new DrillOptions(value, seed, events, faults, consumers, threads, most, only, maker, flags);
        }
        int n = number(value, i + 1);
        return switch (args[i]) {
            case "--seed" ->
                new DrillOptions(database, n, events, faults, consumers, threads, most, only, maker, flags);
            case "--events" ->
                new DrillOptions(database, seed, n, faults, consumers, threads, most, only, maker, flags);
            case "--faults" ->
                new DrillOptions(database, seed, events, n, consumers, threads, most, only, maker, flags);
            case "--consumers" ->
                new DrillOptions(database, seed, events, faults, n, threads, most, only, maker, flags);
            case "--threads" ->
                new DrillOptions(database, seed, events, faults, consumers, n, most, only, maker, flags);
            case "--minutes" ->
                new DrillOptions(
                        database, seed, events, faults, consumers, threads, Duration.ofMinutes(n), only, maker, flags);
            default -> throw new UsageException("Argument " + (i + 1) + " is no option.\n" + USAGE);
        };
    }

    private static int number(String value, int index) throws UsageException {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new UsageException("Argument " + (index + 1) + " is no number.\n" + USAGE);
        }
    }

    /** {@return no URL: it may hold a password} */
    @Override
    public String toString() {
        return "DrillOptions[seed=" + seed + "]";
    }
}
