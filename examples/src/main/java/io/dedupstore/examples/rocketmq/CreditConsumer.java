package io.dedupstore.examples.rocketmq;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/** The client's settings that matter here. */
public final class CreditConsumer {
    /** How long a consumer that is shut down lets the work end; what has not ended then is delivered again. */
    private static final long AWAIT_WORK_MS = 20_000;

    private CreditConsumer() {}

    /**
     * A consumer without its listener. By its defaults it takes one message at a time ({@code consumeMessageBatchMaxSize}),
     * takes work of more than 15 minutes for lost and delivers the message again ({@code consumeTimeout}), and delivers a
     * message up to 16 times again, over almost five hours, before it is a dead letter ({@code maxReconsumeTimes}).
     *
     * @param nameServer its host and port
     * @param group the consumers among which the messages are divided
     * @param topic what to consume
     * @return the consumer, to be given a listener and started
     * @throws MQClientException if a name is not acceptable
     */
    public static DefaultMQPushConsumer create(String nameServer, String group, String topic) throws MQClientException {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
        consumer.setNamesrvAddr(nameServer);
        // the default of a new group passes over what is there already
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setAwaitTerminationMillisWhenShutdown(AWAIT_WORK_MS);
        consumer.subscribe(topic, "*");
        return consumer;
    }

    /**
     * A producer for the quarantine, which sends again to another broker, if there is one, when one does not store.
     *
     * @param nameServer its host and port
     * @param group the producers' name
     * @return the producer, started
     * @throws MQClientException if it cannot be started
     */
    public static DefaultMQProducer producer(String nameServer, String group) throws MQClientException {
        DefaultMQProducer producer = new DefaultMQProducer(group);
        producer.setNamesrvAddr(nameServer);
        producer.setRetryAnotherBrokerWhenNotStoreOK(true);
        producer.start();
        return producer;
    }
}
