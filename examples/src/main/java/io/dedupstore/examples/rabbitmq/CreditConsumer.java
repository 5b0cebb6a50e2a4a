package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.recovery.AutorecoveringChannel;
import com.rabbitmq.client.impl.recovery.AutorecoveringConnection;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.InvalidEventException;
import io.dedupstore.examples.credit.Credit;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes credits from a queue of RabbitMQ, each applied once, however often it is delivered. A message is acknowledged
 * after the commit, by itself, on the channel that delivered it. Between commit and acknowledgement the channel can be
 * lost; then the server delivers the message again and the store knows it.
 *
 * <p>One consumer works on one message at a time; start several for more. The work, its waits and its retries included,
 * times the prefetch, should take less than the server's {@code consumer_timeout}, else messages are delivered again while
 * they are worked on: they are applied once even so.
 */
public final class CreditConsumer extends DefaultConsumer implements AutoCloseable {
    /** In the store's keys. */
    static final String NAME = "credits";

    private static final Logger LOG = LoggerFactory.getLogger(CreditConsumer.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Connection connection;
    private final Queues queues;
    private final DedupStore store;
    private final BiConsumer<Handle, Credit> work;
    private final DeadLetters deadLetters;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile boolean closed;

    private CreditConsumer(
            Connection connection,
            Channel channel,
            Queues queues,
            DedupStore store,
            BiConsumer<Handle, Credit> work,
            DeadLetters deadLetters) {
        super(channel);
        this.connection = connection;
        this.queues = queues;
        this.store = store;
        this.work = work;
        this.deadLetters = deadLetters;
    }

    /**
     * Declares the queues and begins to consume.
     *
     * @param connection with automatic recovery, as it is by default
     * @param queues what to consume
     * @param prefetch how many messages wait here, at least 1
     * @param store for the claims
     * @param work the business change, in the claim's transaction
     * @return the consumer
     * @throws IllegalStateException if messages could be lost: a queue without its dead-letter exchange
     * @throws IOException if the server failed
     */
    public static CreditConsumer start(
            Connection connection, Queues queues, int prefetch, DedupStore store, BiConsumer<Handle, Credit> work)
            throws IOException {
        Channel channel = connection.createChannel();
        queues.declare(channel);
        channel.basicQos(prefetch);
        DeadLetters deadLetters = new DeadLetters(channel, queues.dead());
        CreditConsumer consumer = new CreditConsumer(connection, channel, queues, store, work, deadLetters);
        channel.basicConsume(queues.name(), false, consumer);
        return consumer;
    }

    @Override
    public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
        try {
            settle(new Delivery(envelope, properties, body));
        } catch (IOException | ShutdownSignalException e) {
            // whatever is committed is committed: delivered again, the message is a duplicate
            LOG.warn("A message could not be settled ({}); it will come again", e.getMessage());
        }
    }

    private void settle(Delivery delivery) throws IOException {
        try {
            Credit credit = Credit.read(Headers.eventId(delivery.getProperties()), delivery.getBody());
            Event event = credit.event(NAME, delivery.getEnvelope().isRedeliver() || failedAttempts(delivery) > 0);
            switch (store.consume(event, tx -> apply(tx, credit))) {
                case ACK -> acknowledge(delivery);
                case RETRY -> retry(delivery);
                case QUARANTINE -> quarantine(delivery, reason(event));
            }
        } catch (InvalidEventException e) {
            quarantine(delivery, Map.of(Headers.REASON, String.valueOf(e.getMessage())));
        } catch (ShutdownSignalException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("A message failed ({})", e.getClass().getName());
            retry(delivery);
        }
    }

    private Credit apply(Handle tx, Credit credit) {
        work.accept(tx, credit);
        return credit;
    }

    /** If the connection was lost and recovered meanwhile, the client knows that the tag is void and sends nothing. */
    private void acknowledge(Delivery delivery) throws IOException {
        getChannel().basicAck(delivery.getEnvelope().getDeliveryTag(), false);
    }

    private void retry(Delivery delivery) throws IOException {
        int attempts = failedAttempts(delivery) + 1;
        if (attempts < queues.maxAttempts()) {
            rejectForLater(delivery);
        } else {
            quarantine(delivery, Map.of(Headers.REASON, attempts + " attempts have failed."));
        }
    }

    private int failedAttempts(Delivery delivery) {
        return queues.failedAttempts(Headers.of(delivery.getProperties()));
    }

    /** To the retry queue, in one step of the server's: it cannot be lost in between. */
    private void rejectForLater(Delivery delivery) throws IOException {
        getChannel().basicReject(delivery.getEnvelope().getDeliveryTag(), false);
    }

    private void quarantine(Delivery delivery, Map<String, Object> why) throws IOException {
        if (deadLetters.publish(delivery, why)) {
            acknowledge(delivery);
        } else {
            LOG.error("No queue took a dead letter for {}; the message will come again", queues.dead());
            rejectForLater(delivery);
        }
    }

    private Map<String, Object> reason(Event event) {
        return store.find(event.key())
                .map(stored -> Map.<String, Object>of(
                        Headers.REASON, "The event was claimed before with another payload hash.",
                        Headers.STORED_HASH, stored.hash().toString(),
                        Headers.RECEIVED_HASH, event.hash().toString()))
                .orElse(Map.of(Headers.REASON, "The event cannot be applied; the consumer's log says why."));
    }

    /**
     * The server closes a channel when a delivery is not settled within {@code consumer_timeout}, or after an error. The
     * client recovers lost connections by itself, but no closed channels: it would never consume again, and say nothing.
     * Not at once, so that a message that closes its channel does not come back without a pause.
     */
    @Override
    public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
        if (closed || signal.isHardError()) {
            return;
        }
        LOG.warn("The channel was closed ({}); consuming again in {}", signal.getMessage(), queues.retryDelay());
        LockSupport.parkNanos(queues.retryDelay().toNanos());
        if (!closed && connection.isOpen() && !getChannel().isOpen()) {
            ((AutorecoveringConnection) connection).recoverChannelAndTopology((AutorecoveringChannel) getChannel());
        }
    }

    /** The server does so when the queue is deleted. */
    @Override
    public void handleCancel(String consumerTag) {
        LOG.error("The server has cancelled the consumer of {}: nothing is consumed any more", queues.name());
    }

    /** Ends it: settles what it has received, if it can be done soon; else it is delivered to others. */
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            getChannel().basicCancel(getConsumerTag());
            if (!cancelled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("The consumer of {} was ended at its work", queues.name());
            }
        } catch (ShutdownSignalException e) {
            // nothing can be settled on a channel that is closed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            getChannel().abort();
        }
    }

    /** Comes after the deliveries that the server sent before it. */
    @Override
    public void handleCancelOk(String consumerTag) {
        cancelled.countDown();
    }
}
