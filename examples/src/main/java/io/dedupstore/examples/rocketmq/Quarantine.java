package io.dedupstore.examples.rocketmq;

import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.MQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic for messages that no redelivery can help, with the reason in their properties. Not the group's {@code %DLQ%}
 * topic: a message gets there only after all its redeliveries, and without a reason. Safe for several threads.
 */
public final class Quarantine {
    /** Why the message is here. */
    public static final String REASON = "dedup-reason";

    /** Of a conflict: the hash that was stored when the event was applied. */
    public static final String STORED_HASH = "dedup-stored-hash";

    /** Of a conflict: the hash of this message. */
    public static final String RECEIVED_HASH = "dedup-received-hash";

    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    private final MQProducer producer;
    private final String topic;

    /**
     * A topic.
     *
     * @param producer started; ended by who started it
     * @param topic its name
     */
    public Quarantine(MQProducer producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    /**
     * Sends a copy there and waits until the broker has it.
     *
     * @param message what was delivered
     * @param why properties that say why; they hold no payload
     * @return whether the broker has it, so that the message may be acknowledged. If not, it may have it even so: a message
     *     can be there twice
     */
    boolean take(MessageExt message, Map<String, String> why) {
        try {
            SendStatus status = producer.send(copy(message, why)).getSendStatus();
            if (status == SendStatus.SEND_OK) {
                return true;
            }
            LOG.warn("A message could not be quarantined ({})", status);
        } catch (RemotingException | MQBrokerException | MQClientException | RuntimeException e) {
            LOG.warn("A message could not be quarantined ({})", e.getClass().getName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private Message copy(MessageExt message, Map<String, String> why) {
        Message copy = new Message(topic, message.getTags(), message.getKeys(), message.getBody());
        message.getProperties().forEach((name, value) -> {
            // the others are the broker's
            if (!MessageConst.STRING_HASH_SET.contains(name)) {
                copy.putUserProperty(name, value);
            }
        });
        why.forEach(copy::putUserProperty);
        return copy;
    }
}
