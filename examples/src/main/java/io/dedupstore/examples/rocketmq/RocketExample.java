package io.dedupstore.examples.rocketmq;

import io.dedupstore.DedupException;
import io.dedupstore.examples.UsageException;
import io.dedupstore.examples.credit.ExampleDatabase;
import io.dedupstore.examples.credit.ExampleOptions;
import io.dedupstore.examples.credit.Ledger;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.jdbi.v3.core.JdbiException;

/** Sends a few messages through RocketMQ to a consumer that fails, and shows what came of each. */
public final class RocketExample {
    static final int AS_EXPECTED = 0;
    static final int NOT_AS_EXPECTED = 1;
    static final int NOT_STARTED = 2;

    static final String GROUP = "dedup-example-group";
    static final String CREDITS = "dedup-example-credits";
    static final String QUARANTINE = "dedup-example-quarantine";

    static final String HELP = """
            Usage: RocketExample [--broker HOST:PORT] [--db JDBC-URL] [--help]

            Sends messages through RocketMQ to a consumer that fails at the first delivery, before the
            commit or after it, with the claim and without it: four cases. The redelivery shows what each is
            worth. Then a message that is sent twice, one that comes again with another amount, and one that
            is cut off.

              --broker HOST:PORT  RocketMQ's name server to use, 5.x, instead of a broker of the example's
                                  own. Only topics and groups named dedup-example-* are used, and deleted at
                                  the end. A redelivery takes 10 seconds there by default
              --db JDBC-URL       database to use, instead of a MySQL server of the example's own (Linux on
                                  x86-64). Only tables named dedup_example_* are used, and dropped at the end
              --help              print this

            Exit code: 0 all as expected; 1 something was not, or the example broke off; 2 bad option, or
            a broker or database that cannot be used, or that has such topics or tables already.
            """;

    private static final String SESSIONS = "&useLocalSessionState=true"
            + "&sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5";
    private static final long PATIENCE_S = 60;

    private final PrintStream out;
    private final PrintStream err;

    private RocketExample(PrintStream out, PrintStream err) {
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
        return new RocketExample(out, err).run(args);
    }

    private int run(String[] args) {
        try {
            ExampleOptions options = ExampleOptions.parse(args);
            if (options.help()) {
                out.print(HELP.replace("\n", System.lineSeparator()));
                return AS_EXPECTED;
            }
            try (ExampleBroker broker = ExampleBroker.open(options.broker());
                    ExampleDatabase database = ExampleDatabase.open(options.database(), "mysql", SESSIONS)) {
                return run(broker, database) ? AS_EXPECTED : NOT_AS_EXPECTED;
            }
        } catch (UsageException e) {
            err.println(e.getMessage());
            return NOT_STARTED;
        } catch (IOException | DedupException | IllegalStateException e) {
            err.println("The example broke off: " + e.getMessage());
        } catch (JdbiException | RemotingException | MQBrokerException | MQClientException e) {
            // not its message: Jdbi's quotes the statement with its values
            err.println("The example broke off (" + e.getClass().getSimpleName() + ").");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("The example was interrupted.");
        }
        return NOT_AS_EXPECTED;
    }

    private boolean run(ExampleBroker broker, ExampleDatabase database)
            throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        List<Sent> all = Sent.all();
        RocketReport report = new RocketReport(out, all);
        report.head(broker.description(), database.description());
        all.forEach(sent -> Ledger.open(database.jdbi(), sent.account()));
        List<Delivered> deliveries = new CopyOnWriteArrayList<>();
        broker.createTopics();
        DefaultMQProducer producer = CreditConsumer.producer(broker.nameServer(), "dedup-example-producer");
        DefaultMQPushConsumer consumer = consumer(broker.nameServer());
        try {
            Quarantine quarantine = new Quarantine(producer, QUARANTINE);
            consumer.registerMessageListener(new FailingListener(all, database, quarantine, delivered -> {
                report.line(delivered);
                deliveries.add(delivered);
            }));
            consumer.start();
            all.forEach(sent -> send(producer, sent, 0));
            await(() -> all.stream().allMatch(sent -> consumed(sent, deliveries)));
            all.stream().filter(sent -> sent.messages().size() > 1).forEach(sent -> send(producer, sent, 1));
            await(() -> all.stream().allMatch(sent -> count(sent, deliveries) >= sent.deliveries()));
            return report.summary(deliveries, database.jdbi(), broker.quarantined());
        } finally {
            consumer.shutdown();
            producer.shutdown();
        }
    }

    /** A new group's retry topic is found by looking for it: by default every 30 seconds, and then every 20. */
    private static DefaultMQPushConsumer consumer(String nameServer) throws MQClientException {
        System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
        DefaultMQPushConsumer consumer = CreditConsumer.create(nameServer, GROUP, CREDITS);
        consumer.setPollNameServerInterval(500);
        return consumer;
    }

    /** What a producer does: the fact's own id is the message's key. */
    private static void send(DefaultMQProducer producer, Sent sent, int index) {
        Message message = new Message(CREDITS, "", sent.event(), sent.messages().get(index));
        try {
            if (producer.send(message).getSendStatus() != SendStatus.SEND_OK) {
                throw new IllegalStateException("the broker did not store a message.");
            }
        } catch (RemotingException | MQBrokerException | MQClientException e) {
            throw new IllegalStateException(
                    "a message could not be sent (" + e.getClass().getSimpleName() + ").", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("it was interrupted.", e);
        }
    }

    private static long count(Sent sent, List<Delivered> deliveries) {
        return deliveries.stream().filter(one -> one.sent().equals(sent)).count();
    }

    private static boolean consumed(Sent sent, List<Delivered> deliveries) {
        return deliveries.stream()
                .anyMatch(one -> one.sent().equals(sent) && one.returned().equals("CONSUME_SUCCESS"));
    }

    private interface Condition {
        boolean holds();
    }

    /** If it does not hold in time, the report shows it. */
    private static void await(Condition condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!condition.holds() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
