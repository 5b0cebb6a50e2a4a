package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a consumer's messages are:
 *
 * <ul>
 *   <li>{@link #name()}, the queue that it consumes;
 *   <li>{@link #retry()}, in which a rejected message waits until it goes back there;
 *   <li>{@link #dead()}, an exchange and its queue, for messages that a person has to look at.
 * </ul>
 *
 * <p>Quorum queues with dead-lettering <em>at least once</em>, which RabbitMQ has since 3.10: between others, a message that
 * is on its way can be lost if the server dies.
 *
 * @param name of the queue; the others' names are made from it
 * @param retryDelay how long a message waits after a failed attempt
 * @param maxAttempts after how many failed attempts it is dead; with the delay, longer than the longest outage of the
 *     database that messages should sit out
 */
public record Queues(String name, Duration retryDelay, int maxAttempts) {
    /**
     * With the defaults: 5 seconds, 120 attempts, so that a message survives at least ten minutes without a database.
     *
     * @param name of the queue
     * @return the queues
     */
    public static Queues of(String name) {
        return new Queues(name, Duration.ofSeconds(5), 120);
    }

    /** {@return the name of the queue in which messages wait} */
    public String retry() {
        return name + ".retry";
    }

    /** {@return the name of the dead-letter exchange and of its queue} */
    public String dead() {
        return name + ".dead";
    }

    /**
     * Declares all of them, which is also the check: the server refuses it if one is there with other arguments. A queue
     * without its dead-letter exchange would lose every message that is rejected.
     *
     * @param channel to the server; closed by it if this fails
     * @throws IllegalStateException if one of them is not as it should be
     * @throws IOException if the server could not be asked
     */
    public void declare(Channel channel) throws IOException {
        try {
            channel.exchangeDeclare(dead(), BuiltinExchangeType.FANOUT, true);
            channel.queueDeclare(dead(), true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind(dead(), dead(), "");
            channel.queueDeclare(name, true, false, false, deadLetteredTo(retry()));
            Map<String, Object> arguments = deadLetteredTo(name);
            arguments.put("x-message-ttl", retryDelay.toMillis());
            channel.queueDeclare(retry(), true, false, false, arguments);
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException closed
                    && closed.getReason() instanceof AMQP.Channel.Close refusal) {
                throw new IllegalStateException(
                        "The consumer does not start, for it could lose messages: "
                                + refusal.getReplyText()
                                + ". Let it declare " + name + ", " + retry() + " and " + dead()
                                + " itself, or declare them with the same arguments.",
                        e);
            }
            throw e;
        }
    }

    /**
     * Deletes all of them, with their messages.
     *
     * @param channel to the server
     * @throws IOException if the server failed
     */
    void delete(Channel channel) throws IOException {
        for (String queue : List.of(name, retry(), dead())) {
            channel.queueDelete(queue);
        }
        channel.exchangeDelete(dead());
    }

    /** By the default exchange, which is always there. */
    private static Map<String, Object> deadLetteredTo(String queue) {
        return new HashMap<>(Map.of(
                "x-queue-type", "quorum",
                "x-dead-letter-exchange", "",
                "x-dead-letter-routing-key", queue,
                "x-dead-letter-strategy", "at-least-once",
                // which that strategy requires
                "x-overflow", "reject-publish"));
    }

    /**
     * How often a message has been rejected, as the server counts it.
     *
     * @param headers the message's
     * @return attempts that failed before this delivery
     */
    int failedAttempts(Map<String, Object> headers) {
        int failed = 0;
        if (headers.get("x-death") instanceof List<?> deaths) {
            for (Object death : deaths) {
                if (death instanceof Map<?, ?> entry
                        && name.equals(String.valueOf(entry.get("queue")))
                        && entry.get("count") instanceof Number count) {
                    failed += count.intValue();
                }
            }
        }
        return failed;
    }
}
