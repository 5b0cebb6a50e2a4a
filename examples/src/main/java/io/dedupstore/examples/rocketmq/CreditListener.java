package io.dedupstore.examples.rocketmq;

import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.RECONSUME_LATER;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.InvalidEventException;
import io.dedupstore.examples.credit.Credit;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies each credit once, however often RocketMQ delivers it; one message at a time, in as many threads as the client
 * has. The fact's id is the message's key, which its producer sets and which stays the same when it sends again; the
 * message's id names one sending.
 *
 * <p>The client takes the message for consumed when this returns {@code CONSUME_SUCCESS}, which it does after the commit.
 * {@code RECONSUME_LATER} makes the broker deliver it again after a delay that grows from 10 seconds to 2 hours, and, after
 * 16 times, put it into the topic {@code %DLQ%group}.
 */
public final class CreditListener implements MessageListenerConcurrently {
    /** In the store's keys. */
    static final String NAME = "credits";

    private static final Logger LOG = LoggerFactory.getLogger(CreditListener.class);

    private final DedupStore store;
    private final BiConsumer<Handle, Credit> work;
    private final Quarantine quarantine;

    /**
     * For a consumer.
     *
     * @param store for the claims
     * @param work the business change, in the claim's transaction
     * @param quarantine for messages that a person has to look at
     */
    public CreditListener(DedupStore store, BiConsumer<Handle, Credit> work, Quarantine quarantine) {
        this.store = store;
        this.work = work;
        this.quarantine = quarantine;
    }

    @Override
    public ConsumeConcurrentlyStatus consumeMessage(List<MessageExt> messages, ConsumeConcurrentlyContext context) {
        // there is one, by the default of consumeMessageBatchMaxSize; success would mean all of them
        return messages.size() == 1 ? consume(messages.get(0)) : RECONSUME_LATER;
    }

    /** Throws nothing: the client would write the whole message into its log. */
    ConsumeConcurrentlyStatus consume(MessageExt message) {
        try {
            Credit credit = Credit.read(message.getKeys(), message.getBody());
            // a hint only: after a crash messages come again with 0
            Event event = credit.event(NAME, message.getReconsumeTimes() > 0);
            return switch (store.consume(event, tx -> apply(tx, credit))) {
                case ACK -> CONSUME_SUCCESS;
                case RETRY -> RECONSUME_LATER;
                case QUARANTINE -> quarantine(message, reason(event));
            };
        } catch (InvalidEventException e) {
            return quarantine(message, Map.of(Quarantine.REASON, String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOG.warn("A message failed ({})", e.getClass().getName());
            return RECONSUME_LATER;
        }
    }

    private Credit apply(Handle tx, Credit credit) {
        work.accept(tx, credit);
        return credit;
    }

    private ConsumeConcurrentlyStatus quarantine(MessageExt message, Map<String, String> why) {
        return quarantine.take(message, why) ? CONSUME_SUCCESS : RECONSUME_LATER;
    }

    private Map<String, String> reason(Event event) {
        return store.find(event.key())
                .map(stored -> Map.of(
                        Quarantine.REASON, "The event was claimed before with another payload hash.",
                        Quarantine.STORED_HASH, stored.hash().toString(),
                        Quarantine.RECEIVED_HASH, event.hash().toString()))
                .orElse(Map.of(Quarantine.REASON, "The event cannot be applied; the consumer's log says why."));
    }
}
