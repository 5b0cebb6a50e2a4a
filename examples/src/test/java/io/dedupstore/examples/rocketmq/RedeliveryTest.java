package io.dedupstore.examples.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.apache.rocketmq.client.consumer.MQConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** What comes again, how often, and where it ends: by the broker, one by one and in batches. */
class RedeliveryTest {
    private static final int ALWAYS = Integer.MAX_VALUE;

    /** Credits, then fails the first times that it sees the event. */
    private static BiConsumer<Handle, Credit> failing(String event, int times) {
        Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
        return (tx, credit) -> {
            Ledger.credit(tx, credit);
            int run = seen.computeIfAbsent(credit.eventId(), id -> new AtomicInteger())
                    .incrementAndGet();
            if (credit.eventId().equals(event) && run <= times) {
                throw new IllegalStateException("The work fails here, as the test wants it.");
            }
        };
    }

    @Test
    void whatAlwaysFailsEndsInTheDeadLetterTopic() throws Exception {
        try (Rig rig = new Rig("e-1", "e-2")) {
            rig.consumer.setMaxReconsumeTimes(2);
            rig.send("e-1");
            rig.send("e-2");
            rig.start(new CreditListener(rig.store, failing("e-1", ALWAYS), rig.quarantine()));

            Await.until("a dead letter", () -> rig.topics.dead() == 1);

            Await.until("no message left", () -> rig.topics.left() == 0);
            rig.assertCredits(Map.of("e-1", 0, "e-2", 1));
            assertThat(rig.deliveries("e-1")).isEqualTo(3);
            assertThat(rig.deliveries("e-2")).isEqualTo(1);
            assertThat(rig.topics.quarantined()).isZero();
        }
    }

    @Test
    void aBadOneDoesNotTakeItsNeighboursToTheDeadLetters() throws Exception {
        try (Rig rig = new Rig("e-1", "e-2", "e-3")) {
            rig.consumer.setConsumeMessageBatchMaxSize(8);
            rig.consumer.setMaxReconsumeTimes(2);
            rig.send("e-1");
            rig.send("e-2");
            rig.send("e-3");
            rig.start(batch(rig, rig.consumer, failing("e-1", ALWAYS)));

            Await.until("a dead letter", () -> rig.topics.dead() > 0);

            Await.until("no message left", () -> rig.topics.left() == 0);
            assertThat(rig.topics.dead()).isEqualTo(1);
            rig.assertCredits(Map.of("e-1", 0, "e-2", 1, "e-3", 1));
        }
    }

    /** What the client does with {@code ackIndex}: the messages behind it are sent back, that one and those before not. */
    @Test
    void ifItCannotBeSentBackItAndTheRestOfTheBatchComeAgain() throws Exception {
        try (Rig rig = new Rig("e-1", "e-2", "e-3", "e-4")) {
            rig.consumer.setConsumeMessageBatchMaxSize(8);
            for (int i = 1; i <= 4; i++) {
                rig.send("e-" + i);
            }
            rig.start(batch(rig, unableToSendBackOnce(rig.consumer), failing("e-2", 1)));

            Await.until("the rest came again", () -> rig.deliveries("e-2") == 2 && rig.deliveries("e-4") == 2);

            Await.until("no message left", () -> rig.topics.left() == 0);
            assertThat(rig.delivered.get(0)).containsExactly("e-1/0", "e-2/0", "e-3/0", "e-4/0");
            assertThat(rig.delivered.stream().skip(1).flatMap(List::stream))
                    .containsExactlyInAnyOrder("e-2/1", "e-3/1", "e-4/1");
            rig.assertCredits(Map.of("e-1", 1, "e-2", 1, "e-3", 1, "e-4", 1));
        }
    }

    private static CreditBatchListener batch(Rig rig, MQConsumer consumer, BiConsumer<Handle, Credit> work) {
        return new CreditBatchListener(consumer, new CreditListener(rig.store, work, rig.quarantine()));
    }

    private static MQConsumer unableToSendBackOnce(MQConsumer consumer) {
        AtomicInteger calls = new AtomicInteger();
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("sendMessageBack") && calls.getAndIncrement() == 0) {
                throw new MQClientException("The broker cannot be reached, as the test wants it.", null);
            }
            try {
                return method.invoke(consumer, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (MQConsumer)
                Proxy.newProxyInstance(MQConsumer.class.getClassLoader(), new Class<?>[] {MQConsumer.class}, handler);
    }
}
