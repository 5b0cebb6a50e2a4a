package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.dedupstore.DedupException;
import io.dedupstore.examples.UsageException;
import io.dedupstore.examples.credit.ExampleDatabase;
import io.dedupstore.examples.credit.ExampleOptions;
import io.dedupstore.examples.credit.Ledger;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.JdbiException;

/** Sends a few messages through RabbitMQ, consumes them, and shows what came of each. */
public final class RabbitExample {
    static final int AS_EXPECTED = 0;
    static final int NOT_AS_EXPECTED = 1;
    static final int NOT_STARTED = 2;

    static final Queues QUEUES = new Queues("dedup_example_credit", Duration.ofSeconds(1), 120);

    static final String HELP = """
            Usage: RabbitExample [--broker URI] [--db JDBC-URL] [--help]

            Sends messages through RabbitMQ: a fresh one, one whose channel is closed between the commit
            and the acknowledgement, one that its producer sends twice, one that comes again with another
            amount, and one that is cut off. Consumes them, and shows what came of each.

              --broker URI   broker to use, amqp://user:password@host:port/vhost, RabbitMQ 3.10 or newer,
                             instead of a server of the example's own (Debian's package rabbitmq-server).
                             Only queues named dedup_example_* are used, and deleted at the end
              --db JDBC-URL  database to use, instead of a PostgreSQL server of the example's own (Linux
                             on x86-64). Only tables named dedup_example_* are used, and dropped at the end
              --help         print this

            Exit code: 0 all as expected; 1 something was not, or the example broke off; 2 bad option, or
            a broker or database that cannot be used, or that has such queues or tables already.
            """;

    /** So that only one message comes again when the channel is closed. */
    private static final int PREFETCH = 1;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PrintStream out;
    private final PrintStream err;

    private RabbitExample(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the example and exits with its code.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        return new RabbitExample(out, err).run(args);
    }

    private int run(String[] args) {
        try {
            ExampleOptions options = ExampleOptions.parse(args);
            if (options.help()) {
                out.print(HELP.replace("\n", System.lineSeparator()));
                return AS_EXPECTED;
            }
            try (ExampleBroker broker = ExampleBroker.open(options.broker());
                    Connection connection = broker.connect()) {
                refuseIfThere(connection);
                try (ExampleDatabase database = ExampleDatabase.open(options.database(), "postgres", "")) {
                    return run(broker, connection, database) ? AS_EXPECTED : NOT_AS_EXPECTED;
                }
            }
        } catch (UsageException e) {
            err.println(e.getMessage());
            return NOT_STARTED;
        } catch (IOException | TimeoutException | DedupException | IllegalStateException e) {
            err.println("The example broke off: " + e.getMessage());
        } catch (JdbiException e) {
            // not its message: it quotes the statement with its values
            err.println(
                    "The example broke off: a statement failed (" + e.getClass().getSimpleName() + ").");
        }
        return NOT_AS_EXPECTED;
    }

    private static void refuseIfThere(Connection connection) throws UsageException {
        for (String queue : List.of(QUEUES.name(), QUEUES.retry(), QUEUES.dead())) {
            try (Channel channel = connection.createChannel()) {
                channel.queueDeclarePassive(queue);
            } catch (IOException | TimeoutException e) {
                continue; // it is not there, as it should be
            }
            throw new UsageException("The broker of --broker already has the queue " + queue + ". Delete it, or give"
                    + " another broker.");
        }
    }

    private boolean run(ExampleBroker broker, Connection connection, ExampleDatabase database)
            throws IOException, UsageException, TimeoutException {
        RabbitReport report = new RabbitReport(out);
        report.head(broker.description(connection), database.description());
        Observed observed = new Observed();
        List<Sent> all = Sent.all();
        all.forEach(sent -> Ledger.open(database.jdbi(), sent.account()));
        try (Channel channel = connection.createChannel()) {
            QUEUES.declare(channel);
            try {
                List<Map<String, Object>> dead = new ArrayList<>();
                try (Connection consumers = broker.connect()) {
                    CreditConsumer consumer =
                            CreditConsumer.start(consumers, QUEUES, PREFETCH, database.store(observed), Ledger::credit);
                    observed.watch(consumer.getChannel());
                    sendAll(channel, all, observed);
                    await(() -> finished(channel, all, observed, dead));
                    consumer.close();
                }
                // what was not acknowledged is back in its queue now
                long left = channel.messageCount(QUEUES.name()) + channel.messageCount(QUEUES.retry());
                return report.rows(all, observed, database.jdbi(), dead, left);
            } finally {
                QUEUES.delete(channel);
            }
        }
    }

    /** The second messages after all of the first, so that the outcomes have one order. */
    private static void sendAll(Channel channel, List<Sent> all, Observed observed) throws IOException {
        for (Sent sent : all) {
            send(channel, sent.event(), sent.first());
        }
        await(() -> all.stream()
                .allMatch(sent -> !sent.outcomes().contains("applied")
                        || observed.of(sent.event()).contains("applied")));
        for (Sent sent : all) {
            if (!sent.second().isEmpty()) {
                send(channel, sent.event(), sent.second());
            }
        }
    }

    /** What a producer does; a real one also waits for the confirm, as {@link DeadLetters} does. */
    private static void send(Channel channel, String eventId, String body) throws IOException {
        BasicProperties properties = new BasicProperties.Builder()
                .headers(Map.of(Headers.EVENT_ID, eventId))
                .deliveryMode(2)
                .build();
        channel.basicPublish("", QUEUES.name(), properties, body.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean finished(Channel channel, List<Sent> all, Observed observed, List<Map<String, Object>> dead)
            throws IOException {
        for (GetResponse letter = channel.basicGet(QUEUES.dead(), true);
                letter != null;
                letter = channel.basicGet(QUEUES.dead(), true)) {
            dead.add(letter.getProps().getHeaders());
        }
        return all.stream()
                .allMatch(sent ->
                        observed.of(sent.event()).size() >= sent.outcomes().size()
                                && RabbitReport.of(sent, dead).size() >= sent.deadLetters());
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    /** If it does not hold in time, the report shows it. */
    private static void await(Condition condition) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
