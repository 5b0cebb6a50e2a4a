package io.dedupstore.examples.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;

/** Topics and a group of one test's own, and a producer. */
final class TestTopics implements AutoCloseable {
    private final String group = "dedup-drill-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
    private final Topics topics;
    private final DefaultMQProducer producer;
    private final long sentBackBefore;

    private TestTopics() throws Exception {
        topics = new Topics(Ground.nameServer());
        producer = CreditConsumer.producer(Ground.nameServer(), group + "-producer");
        topics.create(credits());
        topics.create(quarantine());
        sentBackBefore = topics.sentBack();
    }

    static TestTopics create() {
        return call(TestTopics::new);
    }

    String group() {
        return group;
    }

    String credits() {
        return group + "-credits";
    }

    String quarantine() {
        return group + "-quarantine";
    }

    DefaultMQProducer producer() {
        return producer;
    }

    void send(String eventId, byte[] body) {
        Message message = new Message(credits(), "", eventId, body);
        assertThat(call(() -> producer.send(message)).getSendStatus()).isEqualTo(SendStatus.SEND_OK);
    }

    /** What has been sent back comes into the group's retry topic when its delay is over. */
    long left() {
        return call(() -> topics.left(credits(), group)
                + topics.sentBack()
                - sentBackBefore
                - topics.sent(MixAll.getRetryTopic(group)));
    }

    long quarantined() {
        return call(() -> topics.sent(quarantine()));
    }

    List<MessageExt> readQuarantine() {
        return call(() -> QuarantineReader.read(Ground.nameServer(), quarantine(), quarantined()));
    }

    long dead() {
        return call(() -> topics.dead(group));
    }

    @Override
    public void close() {
        producer.shutdown();
        call(() -> {
            topics.delete(credits(), group);
            topics.delete(quarantine(), group);
            return group;
        });
        topics.close();
    }

    private static <T> T call(Callable<T> callable) {
        try {
            return callable.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
