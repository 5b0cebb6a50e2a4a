package io.dedupstore.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.examples.OwnServer;
import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import io.dedupstore.servers.EmbeddedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Queues of one test, a consumer in this JVM, accounts on PostgreSQL, and a real broker. */
@Timeout(120)
abstract class RabbitTest {
    static final Duration DELAY = Duration.ofMillis(500);

    private static EmbeddedServer database;

    final Queues queues = new Queues("dedup_example_" + UUID.randomUUID(), DELAY, 3);
    final List<Long> runs = new CopyOnWriteArrayList<>();
    final Seen seen = new Seen();

    private Connection producers;
    Connection consumers;
    Channel channel;
    CreditConsumer consumer;
    private Jdbi jdbi;

    @BeforeAll
    static void startDatabase() throws Exception {
        RabbitBrokers.uri();
        database = OwnServer.start("postgres");
    }

    @AfterAll
    static void endDatabase() {
        if (database != null) {
            database.close();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        jdbi = Jdbi.create(database.url());
        jdbi.useHandle(handle -> {
            handle.execute("DROP TABLE IF EXISTS " + Ledger.TABLE);
            handle.execute("DROP TABLE IF EXISTS " + Ledger.CLAIM_TABLE);
        });
        Ledger.create(jdbi);
        Ledger.open(jdbi, Messages.ACCOUNT);
        store().schema().create();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(RabbitBrokers.uri());
        factory.setNetworkRecoveryInterval(200);
        producers = factory.newConnection();
        consumers = factory.newConnection();
        channel = producers.createChannel();
        channel.confirmSelect();
    }

    @AfterEach
    void disconnect() throws Exception {
        consumers.abort();
        queues.delete(channel);
        producers.close();
    }

    private DedupStore store() {
        return DedupStore.builder(jdbi).table(Ledger.CLAIM_TABLE).listener(seen).build();
    }

    void start() throws IOException {
        start(Ledger::credit);
    }

    void start(BiConsumer<Handle, Credit> work) throws IOException {
        consumer = CreditConsumer.start(consumers, queues, 10, store(), (tx, credit) -> {
            runs.add(System.nanoTime());
            work.accept(tx, credit);
        });
    }

    void send(BasicProperties properties, byte[] body) throws Exception {
        channel.basicPublish("", queues.name(), true, properties, body);
        assertThat(channel.waitForConfirms(10_000)).isTrue();
    }

    Map<String, Object> awaitDeadLetter() throws IOException {
        Await.until("a dead letter", () -> channel.messageCount(queues.dead()) == 1);
        GetResponse letter = channel.basicGet(queues.dead(), true);
        return letter.getProps().getHeaders();
    }

    /** Without a consumer nothing is hidden as delivered and not acknowledged. */
    long left() throws Exception {
        consumer.close();
        consumers.abort();
        return channel.messageCount(queues.name()) + channel.messageCount(queues.retry());
    }

    long credits() {
        return Ledger.read(jdbi, Messages.ACCOUNT).credits();
    }

    static final class Seen implements DedupListener {
        final List<String> duplicates = new CopyOnWriteArrayList<>();
        private final List<String> applied = new CopyOnWriteArrayList<>();
        volatile Runnable onFirstApplied = () -> {};

        @Override
        public void applied(Event event, UUID claimId, Duration took) {
            applied.add(event.key().eventId());
            if (applied.size() == 1) {
                onFirstApplied.run();
            }
        }

        @Override
        public void duplicate(Event event, Claim stored) {
            duplicates.add(event.key().eventId());
        }
    }
}
