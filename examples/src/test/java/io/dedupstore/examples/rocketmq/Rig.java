package io.dedupstore.examples.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.jdbi.v3.core.Jdbi;

/** One consumer in this JVM, with topics, accounts and a store of its own; each event has an account of its own. */
final class Rig implements AutoCloseable {
    static final long AMOUNT = 2_500;

    static {
        System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
    }

    final TestTopics topics = TestTopics.create();
    final Jdbi jdbi = Jdbi.create(Ground.url(Duration.ofSeconds(5)));
    /** What was delivered: sizes of batches, and in each the events with how often they had been sent back. */
    final List<List<String>> delivered = new CopyOnWriteArrayList<>();

    final DefaultMQPushConsumer consumer;
    final DedupStore store;

    Rig(String... events) throws MQClientException {
        jdbi.useHandle(handle -> {
            handle.execute("DROP TABLE IF EXISTS " + Ledger.TABLE);
            handle.execute("DROP TABLE IF EXISTS " + Ledger.CLAIM_TABLE);
        });
        Ledger.create(jdbi);
        for (String event : events) {
            Ledger.open(jdbi, event);
        }
        store = DedupStore.builder(jdbi).table(Ledger.CLAIM_TABLE).build();
        store.schema().create();
        consumer = CreditConsumer.create(Ground.nameServer(), topics.group(), topics.credits());
        consumer.setInstanceName(topics.group());
        consumer.setPollNameServerInterval(500);
        consumer.setPersistConsumerOffsetInterval(200);
    }

    Quarantine quarantine() {
        return new Quarantine(topics.producer(), topics.quarantine());
    }

    void start(MessageListenerConcurrently listener) throws MQClientException {
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            delivered.add(messages.stream()
                    .map(message -> message.getKeys() + "/" + message.getReconsumeTimes())
                    .toList());
            return listener.consumeMessage(messages, context);
        });
        consumer.start();
    }

    void send(String event) {
        topics.send(event, body(event, AMOUNT));
    }

    static byte[] body(String event, long amount) {
        return new Credit(event, event, amount).body();
    }

    void assertCredits(Map<String, Integer> expected) {
        expected.forEach((event, credits) -> assertThat(Ledger.read(jdbi, event))
                .as(event)
                .isEqualTo(new Ledger.State(Ledger.OPENING_BALANCE + credits * AMOUNT, credits)));
    }

    long deliveries(String event) {
        return delivered.stream()
                .flatMap(List::stream)
                .filter(one -> one.startsWith(event + "/"))
                .count();
    }

    @Override
    public void close() {
        consumer.shutdown();
        topics.close();
    }
}
