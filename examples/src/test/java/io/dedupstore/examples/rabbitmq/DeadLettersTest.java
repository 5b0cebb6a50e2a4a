package io.dedupstore.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Ledger;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What reaches the quarantine, and what happens to a message that cannot reach it. */
class DeadLettersTest extends RabbitTest {
    @Test
    void aDeadLetterThatIsMovedBackHasAllItsAttemptsAgain() throws Exception {
        start((tx, credit) -> {
            if (runs.size() < 5) {
                throw new IllegalStateException("not yet");
            }
            Ledger.credit(tx, credit);
        });
        send(Messages.of("e-1"), Messages.credit("e-1"));
        Await.until("a dead letter", () -> channel.messageCount(queues.dead()) == 1);

        GetResponse letter = channel.basicGet(queues.dead(), true);
        send(letter.getProps(), letter.getBody());

        Await.until("it is applied", () -> credits() == 1);
        assertThat(runs).hasSize(5);
        assertThat(left()).isZero();
    }

    @Test
    void anUnroutableDeadLetterIsNotAcknowledged() throws Exception {
        start();
        channel.queueUnbind(queues.dead(), queues.dead(), "");

        send(Messages.of("e-1"), "{\"amount\":4711".getBytes(StandardCharsets.UTF_8));
        Await.until("it waits", () -> channel.messageCount(queues.retry()) == 1);
        Await.until("it comes again", () -> channel.messageCount(queues.retry()) == 0);
        Await.until("it waits again", () -> channel.messageCount(queues.retry()) == 1);
        assertThat(channel.messageCount(queues.dead())).isZero();

        channel.queueBind(queues.dead(), queues.dead(), "");
        Map<String, Object> headers = awaitDeadLetter();
        assertThat(headers.get(Headers.REASON)).hasToString("The message is not one JSON object.");
        assertThat(left()).isZero();
    }

    /** A publish to an exchange that is not there closes the channel. */
    @Test
    void aDeletedDeadLetterExchangeLosesNothing() throws Exception {
        start();
        channel.exchangeDelete(queues.dead());

        send(Messages.of("e-1"), "{\"amount\":4711".getBytes(StandardCharsets.UTF_8));

        // recovering its channel the consumer declares what is missing
        Map<String, Object> headers = awaitDeadLetter();
        assertThat(headers.get(Headers.EVENT_ID)).hasToString("e-1");
        assertThat(left()).isZero();
    }

    @Test
    void aMessageWithoutATextAsItsIdIsADeadLetter() throws Exception {
        start();

        send(new BasicProperties.Builder().messageId("m-1").build(), Messages.credit("e-1"));
        assertThat(awaitDeadLetter().get(Headers.REASON).toString()).contains(Headers.EVENT_ID);
        send(Messages.of(12), Messages.credit("12"));
        assertThat(awaitDeadLetter().get(Headers.REASON).toString()).contains(Headers.EVENT_ID);

        assertThat(left()).isZero();
        assertThat(credits()).isZero();
    }

    @Test
    void aDeadLetterIsKeptWhateverItsProducerSetAsItsExpiration() throws Exception {
        start();

        BasicProperties properties =
                Messages.of("e-1").builder().expiration("60000").build();
        send(properties, "[]".getBytes(StandardCharsets.UTF_8));

        Await.until("a dead letter", () -> channel.messageCount(queues.dead()) == 1);
        GetResponse letter = channel.basicGet(queues.dead(), true);
        assertThat(letter.getProps().getExpiration()).isNull();
        assertThat(letter.getProps().getDeliveryMode()).isEqualTo(2);
    }
}
