package io.dedupstore.examples.rocketmq;

import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.RECONSUME_LATER;

import java.util.List;
import org.apache.rocketmq.client.consumer.MQConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For a consumer with {@code consumeMessageBatchMaxSize} above 1: each message of the batch has a transaction and an
 * answer of its own.
 *
 * <p>The listener's return is one for the whole batch. {@code RECONSUME_LATER} sends all of it back; {@code ackIndex} with
 * {@code CONSUME_SUCCESS} accepts the messages up to that one and sends the others back. By either, a message that always
 * fails takes its neighbours with it each time, in the end to the dead letters. So a message that is to come again is sent
 * back by itself, as the client does it; only if that fails too, the rest is left to the client by {@code ackIndex}, and the
 * store knows what of it has been applied.
 */
public final class CreditBatchListener implements MessageListenerConcurrently {
    private static final Logger LOG = LoggerFactory.getLogger(CreditBatchListener.class);

    private final MQConsumer consumer;
    private final CreditListener one;

    /**
     * For a consumer.
     *
     * @param consumer whose listener this will be
     * @param one for one message
     */
    public CreditBatchListener(MQConsumer consumer, CreditListener one) {
        this.consumer = consumer;
        this.one = one;
    }

    @Override
    public ConsumeConcurrentlyStatus consumeMessage(List<MessageExt> messages, ConsumeConcurrentlyContext context) {
        for (int i = 0; i < messages.size(); i++) {
            MessageExt message = messages.get(i);
            if (one.consume(message) == RECONSUME_LATER && !sentBack(message, context)) {
                context.setAckIndex(i - 1);
                break;
            }
        }
        return CONSUME_SUCCESS;
    }

    private boolean sentBack(MessageExt message, ConsumeConcurrentlyContext context) {
        try {
            consumer.sendMessageBack(
                    message,
                    context.getDelayLevelWhenNextConsume(),
                    context.getMessageQueue().getBrokerName());
            return true;
        } catch (RemotingException | MQBrokerException | MQClientException | RuntimeException e) {
            LOG.warn("A message could not be sent back ({})", e.getClass().getName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
