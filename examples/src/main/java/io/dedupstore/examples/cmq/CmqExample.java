package io.dedupstore.examples.cmq;

import com.qcloud.cmq.CMQServerException;
import com.qcloud.cmq.Message;
import com.qcloud.cmq.Queue;
import io.dedupstore.examples.UsageException;
import io.dedupstore.examples.credit.ExampleDatabase;
import io.dedupstore.examples.credit.ExampleOptions;
import io.dedupstore.examples.credit.Ledger;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.JdbiException;

/** Sends some credits through CMQ, once, twice, altered and cut off, and shows what the consumer makes of them. */
public final class CmqExample {
    static final int AS_EXPECTED = 0;
    static final int NOT_AS_EXPECTED = 1;
    static final int NOT_STARTED = 2;

    static final String HELP = """
            Usage: CmqExample [--broker URL] [--db JDBC-URL] [--help]

            Sends credits to a queue of CMQ (TDMQ for CMQ) and consumes them with the official SDK: once,
            twice, deleted too late, with work that fails, with another amount under the same id, and cut
            off. Then every balance is compared with the expected one.

              --broker URL   endpoint of a CMQ, http:// or https://, host and port. Without it a wire
                             stand-in is started, made from CMQ's published documentation; it is not the
                             service. The key of the account is read from the environment variables
                             CMQ_SECRET_ID and CMQ_SECRET_KEY.
                             The queues are dedup-example-credits, dedup-example-credits-quarantine and
                             dedup-example-credits-dead. The example creates and deletes them. Where the
                             endpoint creates no queues (TDMQ), create them in the console, with a
                             visibility timeout of 2 s and 1 s of long polling; they must be empty.
              --db JDBC-URL  database to use, instead of a temporary SQLite file. The example creates
                             tables named dedup_example_*, refuses to run if there are some, touches no
                             others, and drops them at the end
              --help         print this

            Exit code: 0 all as expected; 1 something was not, or the example broke off; 2 bad option,
            or a broker or database that cannot be used: nothing was applied.
            """.replace("\n", System.lineSeparator());

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PrintStream out;
    private final PrintStream err;

    private CmqExample(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the example and exits with its code.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        System.exit(run(args, System.getenv(), System.out, System.err));
    }

    static int run(String[] args, Map<String, String> environment, PrintStream out, PrintStream err) {
        return new CmqExample(out, err).run(args, environment);
    }

    private int run(String[] args, Map<String, String> environment) {
        try {
            ExampleOptions options = ExampleOptions.parse(args);
            if (options.help()) {
                out.print(HELP);
                return AS_EXPECTED;
            }
            try (ExampleDatabase database =
                            ExampleDatabase.open(options.database(), "sqlite", "?journal_mode=WAL&synchronous=FULL");
                    ExampleQueues queues = ExampleQueues.open(options, environment)) {
                return run(queues, database) ? AS_EXPECTED : NOT_AS_EXPECTED;
            }
        } catch (UsageException e) {
            err.println(e.getMessage());
            return NOT_STARTED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("The example was interrupted.");
        } catch (JdbiException e) {
            // not its message: it quotes the statement with its values
            err.println(
                    "The example broke off: a statement failed (" + e.getClass().getSimpleName() + ").");
        } catch (Exception e) {
            err.println("The example broke off: " + Cmq.describe(e));
        }
        return NOT_AS_EXPECTED;
    }

    private boolean run(ExampleQueues example, ExampleDatabase database) throws Exception {
        CmqReport report = new CmqReport(out);
        report.head(example.description(), database.description());
        Queues queues = example.queues();
        List<Sent> all = Sent.all();
        all.forEach(sent -> Ledger.open(database.jdbi(), sent.account()));
        Observed observed = new Observed();
        CreditConsumer consumer = new CreditConsumer(queues, database.store(observed), observed::credit);
        Thread thread = new Thread(consumer, "credits");
        thread.start();
        List<Map<String, String>> letters = new ArrayList<>();
        try {
            sendAll(queues.credits(), all, observed);
            await(() -> finished(all, observed, queues, letters));
        } finally {
            consumer.close();
            thread.join();
        }
        return report.rows(all, observed, database.jdbi(), letters);
    }

    /** The second messages after all of the first are applied, so that the outcomes have one order. */
    private static void sendAll(Queue queue, List<Sent> all, Observed observed) throws Exception {
        for (Sent sent : all) {
            queue.send(sent.first());
        }
        await(() -> all.stream()
                .allMatch(sent -> !sent.outcomes().contains("applied")
                        || observed.of(sent.event()).contains("applied")));
        for (Sent sent : all) {
            if (!sent.second().isEmpty()) {
                queue.send(sent.second());
            }
        }
    }

    private static boolean finished(List<Sent> all, Observed observed, Queues queues, List<Map<String, String>> letters)
            throws Exception {
        drain(queues.quarantine(), letters);
        drain(queues.dead(), letters);
        return all.stream()
                .allMatch(sent ->
                        observed.of(sent.event()).size() >= sent.outcomes().size()
                                && (sent.reason().isEmpty() || CmqReport.of(sent, letters) > 0));
    }

    private static void drain(Queue queue, List<Map<String, String>> letters) throws Exception {
        try {
            while (true) {
                Message message = queue.receiveMessage();
                letters.add(DeadLetter.reasons(message.msgBody));
                queue.deleteMessage(message.receiptHandle);
            }
        } catch (CMQServerException e) {
            if (!Cmq.isEmpty(e)) {
                throw e;
            }
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    /** If it does not hold in time, the report shows it. */
    private static void await(Condition condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
