package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Publishes to the dead-letter exchange and knows whether the message has arrived. For one thread. */
final class DeadLetters {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int PERSISTENT = 2;

    private final Channel channel;
    private final String exchange;
    private volatile boolean returned;

    /** On the consumer's channel: if it is lost while we wait for the confirm, then the delivery's tag is void too. */
    DeadLetters(Channel channel, String exchange) throws IOException {
        this.channel = channel;
        this.exchange = exchange;
        channel.confirmSelect();
        channel.addReturnListener(message -> returned = true);
    }

    /**
     * Publishes a copy.
     *
     * @param delivery the message
     * @param why headers that say why; they hold no payload
     * @return whether a queue has it: false if there was none, or if the server did not say so in time
     * @throws IOException if the channel failed
     */
    boolean publish(Delivery delivery, Map<String, Object> why) throws IOException {
        returned = false;
        channel.basicPublish(exchange, "", true, properties(delivery.getProperties(), why), delivery.getBody());
        try {
            // a message without a queue is returned before it is confirmed
            return channel.waitForConfirms(PATIENCE.toMillis()) && !returned;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static BasicProperties properties(BasicProperties original, Map<String, Object> why) {
        Map<String, Object> headers = new HashMap<>(Headers.of(original));
        // so that a message that is moved back has all its attempts again
        headers.remove("x-death");
        headers.putAll(why);
        // an expiration would delete it here too, and the server refuses the user id of another user
        return original.builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(null)
                .build();
    }
}
