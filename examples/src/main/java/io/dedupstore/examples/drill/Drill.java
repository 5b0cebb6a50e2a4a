package io.dedupstore.examples.drill;

import io.dedupstore.DedupStore;
import io.dedupstore.examples.TableNames;
import io.dedupstore.examples.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Numbered transfers between accounts, delivered at least once to consumer processes, while processes, connections, the
 * server and the work are broken as the seed says. In the end {@link Checker} judges.
 */
public final class Drill {
    private static final int SHOWN_VIOLATIONS = 20;

    private final DrillOptions options;
    private final Arena arena;
    private final Counts counts = new Counts();
    private int started;
    private long produced;
    private double seconds;

    private Drill(DrillOptions options, Arena arena) {
        this.options = options;
        this.arena = arena;
    }

    /**
     * Runs the drill and exits: 0 if nothing was wrong, 1 if something was, 2 if it was not started.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) throws Exception {
        System.exit(main(args, System.out));
    }

    private static int main(String[] args, PrintStream out) throws Exception {
        try {
            DrillOptions options = DrillOptions.parse(args);
            if (options.help()) {
                out.print(DrillOptions.USAGE);
                return 0;
            }
            return run(options, out).isEmpty() ? 0 : 1;
        } catch (UsageException e) {
            out.println(e.getMessage());
            return 2;
        }
    }

    /** {@return what was wrong} */
    static List<String> run(DrillOptions options, PrintStream out) throws Exception {
        out.println("Seed: " + options.seed() + ", " + options.events() + " events, " + options.faults()
                + " faults planned, " + options.consumers() + " consumer processes of " + options.threads()
                + " threads");
        try (Arena arena = arena(options)) {
            Drill drill = new Drill(options, arena);
            List<String> wrong = drill.run();
            drill.report(out, wrong);
            return wrong;
        }
    }

    private static Arena arena(DrillOptions options) throws IOException, SQLException, UsageException {
        return switch (options.database()) {
            case "sqlite" -> new SqliteArena();
            case "postgres" -> new PostgresArena();
            case "mysql" -> MysqlArena.mysql();
            case "mariadb" -> MysqlArena.mariaDb();
            default -> new GivenArena(options.database());
        };
    }

    private List<String> run() throws Exception {
        Jdbi jdbi = Jdbi.create(arena.url());
        try (Handle handle = jdbi.open()) {
            makeRoom(handle);
            Bank.create(handle);
        }
        DedupStore.builder(jdbi).table(Bank.CLAIM).build().schema().create();
        Path folder = Files.createTempDirectory("dedup-drill-log");
        try {
            List<String> wrong = new ArrayList<>();
            try (History.Log log = new History.Log(folder)) {
                wrong.addAll(deliver(log));
            }
            arena.settle();
            wrong.addAll(Checker.check(History.read(folder), Bank.read(jdbi)));
            return wrong;
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
            jdbi.useHandle(Bank::drop);
        }
    }

    /** Tables that are there may be of another drill, which still runs. */
    private void makeRoom(Handle handle) throws SQLException, UsageException {
        List<String> there = TableNames.beginningWith(handle.getConnection(), Bank.PREFIX);
        if (!there.isEmpty() && !options.reset()) {
            throw new UsageException("The database already has " + String.join(", ", there)
                    + ", of a drill that broke off or still runs. Say --reset to have them dropped."
                    + " Nothing was changed.");
        }
        for (String table : there) {
            handle.execute("DROP TABLE " + table);
        }
    }

    private List<String> deliver(History.Log log) throws IOException, InterruptedException {
        List<Fault> faults = new ArrayList<>(arena.faults());
        AtomicReference<ConsumerPool> pool = new AtomicReference<>();
        faults.add(Fault.of(
                "consumer killed", random -> Objects.requireNonNull(pool.get()).killOne()));
        Pattern only = Pattern.compile(options.only());
        faults.removeIf(fault -> !only.matcher(fault.kind()).find());
        Set<Trouble> troubles = arena.troubles();
        troubles.removeIf(trouble -> !only.matcher(trouble.shown()).find());
        Schedule schedule =
                new Schedule(options.seed(), options.faults(), 2 * options.events(), faults.size(), troubles);
        Source source = new Source(options, schedule, log, counts);
        Start start = new Start(arena.consumersUrl(), options.threads(), arena.spoiling(), options.maker());
        long begin = System.nanoTime();
        List<String> wrong = new ArrayList<>();
        try (ConsumerPool consumers = new ConsumerPool(source, start, options)) {
            pool.set(consumers);
            Injector injector = new Injector(source, schedule, faults, counts, options.seed());
            injector.start();
            if (!source.awaitEnd(options.most())) {
                wrong.add("Some messages were never done");
            }
            produced = source.produced();
            wrong.addAll(injector.end());
            started = consumers.started();
        }
        seconds = (System.nanoTime() - begin) / 1e9;
        return wrong;
    }

    private void report(PrintStream out, List<String> wrong) {
        Map<String, Integer> faults = counts.faults();
        table(out, "Faults that struck", faults);
        table(out, "Faults that found nothing to strike", counts.missed());
        table(out, "Answers", counts.outcomes());
        table(out, "Why the store tried again or gave up", counts.retries());
        out.println(String.format(
                Locale.ROOT,
                "%d deliveries of %d events (%d redelivered, %d not answered in time), %d faults of %d kinds,"
                        + " %d consumer processes, %.1f s, %.0f deliveries/s",
                counts.deliveries(),
                produced,
                counts.redeliveries(),
                counts.expiredDeliveries(),
                faults.values().stream().mapToInt(Integer::intValue).sum(),
                faults.size(),
                started,
                seconds,
                counts.deliveries() / seconds));
        wrong.stream().limit(SHOWN_VIOLATIONS).forEach(line -> out.println("WRONG: " + line));
        out.println(
                wrong.isEmpty()
                        ? "Nothing lost, nothing doubled, nothing acknowledged too early."
                        : wrong.size() + " violations; run again with --seed " + options.seed());
    }

    private static void table(PrintStream out, String title, Map<String, Integer> rows) {
        if (!rows.isEmpty()) {
            out.println(title + ":");
            rows.forEach((what, times) -> out.println(String.format(Locale.ROOT, "  %-36s %8d", what, times)));
        }
    }
}
