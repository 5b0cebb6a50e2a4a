package io.dedupstore.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.BuiltinExchangeType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The consumer does not start where it could lose messages. */
class QueuesTest extends RabbitTest {
    @Test
    void doesNotStartOnAQueueWithoutADeadLetterExchange() throws Exception {
        channel.queueDeclare(queues.name(), true, false, false, Map.of("x-queue-type", "quorum"));
        send(Messages.of("e-1"), Messages.credit("e-1"));

        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("could lose messages")
                .hasMessageContaining("x-dead-letter-exchange")
                .hasMessageContaining(queues.name());

        assertThat(runs).isEmpty();
        assertThat(channel.messageCount(queues.name())).isEqualTo(1);
    }

    @Test
    void doesNotStartOnADeadLetterExchangeThatIsNone() throws Exception {
        channel.exchangeDeclare(queues.dead(), BuiltinExchangeType.DIRECT, true);

        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(queues.dead());
    }
}
