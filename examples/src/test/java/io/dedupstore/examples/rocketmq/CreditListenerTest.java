package io.dedupstore.examples.rocketmq;

import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.RECONSUME_LATER;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.examples.credit.Credit;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.MQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the client is told, where no broker is needed to see it. */
class CreditListenerTest {
    private final List<Message> quarantined = new ArrayList<>();

    private ConsumeConcurrentlyStatus consume(Object storeAnswers, Object producerAnswers, MessageExt... messages) {
        DedupStore store = fake(DedupStore.class, storeAnswers);
        Quarantine quarantine = new Quarantine(fake(MQProducer.class, producerAnswers), "quarantine");
        CreditListener listener = new CreditListener(store, (tx, credit) -> {}, quarantine);
        return listener.consumeMessage(
                List.of(messages), new ConsumeConcurrentlyContext(new MessageQueue("credits", "broker", 0)));
    }

    private <T> T fake(Class<T> type, Object answer) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (arguments.length > 0 && arguments[0] instanceof Message message) {
                quarantined.add(message);
            }
            if (answer instanceof Throwable failure) {
                throw failure;
            }
            return answer;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static SendResult stored(SendStatus status) {
        SendResult result = new SendResult();
        result.setSendStatus(status);
        return result;
    }

    private static MessageExt message(String key, byte[] body) {
        MessageExt message = new MessageExt();
        message.setKeys(key);
        message.setBody(body);
        return message;
    }

    private static MessageExt good() {
        return message("e-1", new Credit("e-1", "a", 1).body());
    }

    private static MessageExt malformed() {
        return message("e-1", "{".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void successAfterAnAckOnly() {
        assertThat(consume(Disposition.ACK, "unused", good())).isEqualTo(CONSUME_SUCCESS);
        assertThat(consume(Disposition.RETRY, "unused", good())).isEqualTo(RECONSUME_LATER);
        assertThat(consume(new IllegalStateException(), "unused", good())).isEqualTo(RECONSUME_LATER);
    }

    @Test
    void successForAQuarantinedMessageOnlyIfTheBrokerHasIt() {
        assertThat(consume("unused", stored(SendStatus.SEND_OK), malformed())).isEqualTo(CONSUME_SUCCESS);
        assertThat(consume("unused", new MQClientException("", null), malformed()))
                .isEqualTo(RECONSUME_LATER);
        assertThat(consume("unused", new IllegalStateException(), malformed())).isEqualTo(RECONSUME_LATER);
    }

    @ParameterizedTest
    @EnumSource(value = SendStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "SEND_OK")
    void storedHalfwayIsNotStored(SendStatus status) {
        assertThat(consume("unused", stored(status), malformed())).isEqualTo(RECONSUME_LATER);
    }

    @Test
    void anInterruptStaysSet() {
        assertThat(consume("unused", new InterruptedException(), malformed())).isEqualTo(RECONSUME_LATER);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Success would mean all of them. */
    @Test
    void aBatchIsNotAccepted() {
        assertThat(consume(Disposition.ACK, "unused", good(), good())).isEqualTo(RECONSUME_LATER);
    }

    @Test
    void aMessageWithoutAKeyIsQuarantined() {
        MessageExt message = new MessageExt();
        message.setBody(good().getBody());

        assertThat(consume("unused", stored(SendStatus.SEND_OK), message)).isEqualTo(CONSUME_SUCCESS);
    }

    @Test
    void theCopyKeepsKeyBodyAndThePropertiesOfItsProducer() {
        MessageExt message = malformed();
        message.setTags("tag");
        message.putUserProperty("trace", "t-1");
        message.setReconsumeTimes(3);
        message.setDelayTimeLevel(3);

        consume("unused", stored(SendStatus.SEND_OK), message);

        assertThat(quarantined).singleElement().satisfies(copy -> {
            assertThat(copy.getKeys()).isEqualTo("e-1");
            assertThat(copy.getTags()).isEqualTo("tag");
            assertThat(copy.getBody()).isEqualTo(message.getBody());
            assertThat(copy.getUserProperty("trace")).isEqualTo("t-1");
            assertThat(copy.getUserProperty(Quarantine.REASON)).isNotBlank();
            assertThat(copy.getProperty(MessageConst.PROPERTY_DELAY_TIME_LEVEL)).isNull();
        });
    }
}
