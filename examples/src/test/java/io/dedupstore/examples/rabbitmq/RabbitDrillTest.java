package io.dedupstore.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.dedupstore.brokers.RabbitServer;
import io.dedupstore.examples.OwnServer;
import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Child;
import io.dedupstore.examples.credit.ConsumerDrill;
import io.dedupstore.examples.credit.StopPoint;
import io.dedupstore.servers.EmbeddedServer;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The drill on RabbitMQ and PostgreSQL, both of them killed. */
@Timeout(240)
class RabbitDrillTest extends ConsumerDrill {
    /** Half an hour by default; here more than the consumer's store ever takes. */
    static final int CONSUMER_TIMEOUT_MS = 6_000;

    private static RabbitServer broker;
    private static EmbeddedServer database;

    private Queues queues;

    @BeforeAll
    static void startServers() throws Exception {
        broker = RabbitBrokers.start("consumer_timeout = " + CONSUMER_TIMEOUT_MS);
        database = OwnServer.start("postgres");
    }

    @AfterAll
    static void endServers() {
        if (broker != null) {
            broker.close();
        }
        if (database != null) {
            database.close();
        }
    }

    private interface Use<T> {
        T of(Channel channel) throws Exception;
    }

    /** On a connection of its own: the broker comes and goes. */
    private static <T> T onBroker(Use<T> use) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(broker.address());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                return use.of(channel);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected String url() {
        return database.url();
    }

    @Override
    protected void createQueues() {
        queues = Queues.of("dedup_example_" + UUID.randomUUID());
        onBroker(channel -> {
            queues.declare(channel);
            return queues;
        });
    }

    @Override
    protected void send(String eventId, byte[] body) {
        boolean confirmed = onBroker(channel -> {
            channel.confirmSelect();
            channel.basicPublish("", queues.name(), true, Messages.of(eventId), body);
            return channel.waitForConfirms(10_000);
        });
        assertThat(confirmed).isTrue();
    }

    @Override
    protected Child startConsumer(StopPoint stopPoint) {
        return Child.start(RabbitConsumerProcess.class, stopPoint, url(), broker.address(), queues.name());
    }

    /** The broker does it by itself, after its consumer_timeout. */
    @Override
    protected void outrun(Child first, Child second) {}

    /** On its way from one queue to the other a message is in both for a moment. */
    @Override
    protected long left() {
        AtomicReference<Long> before = new AtomicReference<>(-1L);
        Await.until("the same number twice", () -> {
            long now = broker.messages(queues.name()) + broker.messages(queues.retry());
            return before.getAndSet(now) == now;
        });
        return before.get();
    }

    @Override
    protected Map<String, String> awaitQuarantined() {
        Await.until("a message in quarantine", () -> quarantined() > 0);
        assertThat(quarantined()).isEqualTo(1);
        return onBroker(channel -> {
            GetResponse letter = channel.basicGet(queues.dead(), false); // closing the channel puts it back
            Map<String, String> headers = new TreeMap<>();
            letter.getProps().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
            return headers;
        });
    }

    @Override
    protected long quarantined() {
        return broker.messages(queues.dead());
    }

    @Override
    protected void breakDatabase() {
        database.kill();
    }

    @Override
    protected void mendDatabase() {
        database.restart();
    }

    @Override
    protected void restartBroker() {
        broker.kill();
        broker.restart();
    }

    /** The client recovers no channel that the server has closed; this consumer has to do it. */
    @Test
    void consumesOnWhenItsWorkHasOutrunTheTimeout() {
        Child only = startConsumer(StopPoint.BEFORE_COMMIT);
        try (only) {
            send("e-1", Messages.credit("e-1"));
            only.await("BEFORE_COMMIT e-1");
            Await.until("the broker has taken it back", () -> ready() == 1);

            only.goOn();
            only.await("applied e-1");
            only.await("duplicate e-1");

            send("e-2", Messages.credit("e-2"));
            only.await("applied e-2");
            Await.until("no message left", () -> left() == 0);
        }
    }

    private long ready() {
        return onBroker(channel -> channel.messageCount(queues.name()));
    }
}
