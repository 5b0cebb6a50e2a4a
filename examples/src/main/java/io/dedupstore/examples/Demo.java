package io.dedupstore.examples;

import io.dedupstore.DedupException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.JdbiException;

/**
 * Replays a file of deliveries twice, with the claim and without it, and shows what the accounts hold in the end. The
 * consumer is a process of its own, which is killed where the file says so.
 */
public final class Demo {
    /** Every line was as expected. */
    static final int AS_EXPECTED = 0;

    /** Some line was not, or the demo broke off. */
    static final int NOT_AS_EXPECTED = 1;

    /** Bad option, bad file, or a database that cannot be used; nothing was applied. */
    static final int NOT_STARTED = 2;

    private final PrintStream out;
    private final PrintStream err;

    private Demo(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the demo and exits with its code.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        return new Demo(out, err).run(args);
    }

    private int run(String[] args) {
        Options options;
        List<Delivery> deliveries;
        try {
            options = Options.parse(args);
            if (options.help()) {
                out.print(Options.HELP);
                return AS_EXPECTED;
            }
            // the whole file, before the database is touched: of a malformed one nothing is applied
            deliveries = DeliveryFile.read(options.file());
        } catch (UsageException e) {
            err.println(e.getMessage());
            return NOT_STARTED;
        }
        try (Database database = Database.open(options)) {
            return replay(deliveries, database, options);
        } catch (UsageException e) {
            err.println(e.getMessage());
            return NOT_STARTED;
        } catch (IOException | DedupException e) {
            err.println("The demo broke off: " + e.getMessage());
        } catch (JdbiException e) {
            // not its message: it quotes the statement with its values
            err.println("The demo broke off: a statement failed (" + Failures.describe(e) + ").");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("The demo was interrupted.");
        }
        return NOT_AS_EXPECTED;
    }

    private int replay(List<Delivery> deliveries, Database database, Options options)
            throws IOException, InterruptedException {
        Report report = new Report(out);
        report.head(deliveries.size(), options.fileName(), database.description());
        List<Replayed> all = new ArrayList<>();
        try (Consumers consumers = new Consumers(database.url())) {
            for (Mode mode : Mode.values()) {
                report.begin(mode);
                all.add(new Replay(deliveries, mode, database.jdbi(), consumers, report::line).run());
            }
        }
        boolean asExpected = report.close(all);
        database.whereKept().ifPresent(where -> out.println("Kept: " + where));
        return asExpected ? AS_EXPECTED : NOT_AS_EXPECTED;
    }
}
