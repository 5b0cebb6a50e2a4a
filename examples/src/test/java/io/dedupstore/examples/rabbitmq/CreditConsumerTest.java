package io.dedupstore.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Recoverable;
import com.rabbitmq.client.RecoveryListener;
import io.dedupstore.examples.credit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the consumer acknowledges, and when it tries again. */
class CreditConsumerTest extends RabbitTest {
    @Test
    void afterItsLastAttemptAMessageIsADeadLetter() throws Exception {
        start((tx, credit) -> {
            throw new IllegalStateException("not today");
        });

        send(Messages.of("e-1"), Messages.credit("e-1"));
        Map<String, Object> headers = awaitDeadLetter();

        assertThat(headers.get(Headers.REASON)).hasToString("3 attempts have failed.");
        assertThat(headers.get(Headers.EVENT_ID)).hasToString("e-1");
        assertThat(runs).hasSize(3);
        assertThat(Duration.ofNanos(runs.get(1) - runs.get(0))).isGreaterThanOrEqualTo(DELAY);
        assertThat(Duration.ofNanos(runs.get(2) - runs.get(1))).isGreaterThanOrEqualTo(DELAY);
        assertThat(left()).isZero();
        assertThat(credits()).isZero();
    }

    @Test
    void aChannelClosedBetweenCommitAndAck() throws Exception {
        seen.onFirstApplied = () -> closeByServer(consumer.getChannel());
        start();

        send(Messages.of("e-1"), Messages.credit("e-1"));
        Await.until("it has come again", () -> seen.duplicates.size() == 1);
        send(Messages.of("e-2"), Messages.credit("e-2"));
        Await.until("the next is applied", () -> credits() == 2);

        assertThat(runs).hasSize(2);
        assertThat(left()).isZero();
    }

    /** The channel is open again when the acknowledgement comes, and the delivery tag means nothing on it. */
    @Test
    void aConnectionLostAndRecoveredBetweenCommitAndAck() throws Exception {
        seen.onFirstApplied = () -> loseAndRecover(consumers, consumer.getChannel());
        start();

        send(Messages.of("e-1"), Messages.credit("e-1"));
        Await.until("it has come again", () -> seen.duplicates.size() == 1);
        send(Messages.of("e-2"), Messages.credit("e-2"));
        Await.until("the next is applied", () -> credits() == 2);

        assertThat(runs).hasSize(2);
        assertThat(left()).isZero();
    }

    /** As it does after any error of a channel's. */
    private static void closeByServer(Channel used) {
        assertThatThrownBy(() -> used.queueDeclarePassive("dedup_example_none")).isInstanceOf(IOException.class);
        assertThat(used.isOpen()).isFalse();
    }

    /** The server ends a connection whose client wants what it does not have: immediate delivery. */
    private static void loseAndRecover(Connection connection, Channel used) {
        CountDownLatch recovered = new CountDownLatch(1);
        ((Recoverable) connection).addRecoveryListener(new RecoveryListener() {
            @Override
            public void handleRecovery(Recoverable recoverable) {
                recovered.countDown();
            }

            @Override
            public void handleRecoveryStarted(Recoverable recoverable) {}
        });
        try {
            used.basicPublish("", "dedup_example_none", false, true, null, new byte[0]);
            assertThat(recovered.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(used.isOpen()).isTrue();
    }
}
