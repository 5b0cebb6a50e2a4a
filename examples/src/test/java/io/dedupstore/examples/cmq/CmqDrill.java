package io.dedupstore.examples.cmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Child;
import io.dedupstore.examples.credit.ConsumerDrill;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.StopPoint;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The drill with the SDK and the wire stand-in, whose messages are visible again after a second. */
@Timeout(240)
abstract class CmqDrill extends ConsumerDrill {
    private static TestQueues broker;

    private Queues queues;

    @BeforeAll
    static void startBroker() {
        broker = TestQueues.start();
    }

    @AfterAll
    static void endBroker() {
        broker.close();
    }

    @Override
    protected void createQueues() {
        queues = broker.create(3);
    }

    @Override
    protected byte[] body(Credit credit) {
        return credit.bodyWithId();
    }

    @Override
    protected void send(String eventId, byte[] body) {
        send(body, 0);
    }

    private void send(byte[] body, int delaySeconds) {
        try {
            queues.credits().send(new String(body, StandardCharsets.UTF_8), delaySeconds);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected Child startConsumer(StopPoint stopPoint) {
        return Child.start(
                CmqConsumerProcess.class,
                stopPoint,
                url(),
                broker.standIn().address(),
                broker.standIn().secretId(),
                broker.standIn().secretKey(),
                broker.latest());
    }

    /** The broker does it by itself, after the visibility timeout. */
    @Override
    protected void outrun(Child first, Child second) {}

    @Override
    protected long left() {
        return TestQueues.all(queues.credits());
    }

    @Override
    protected Map<String, String> awaitQuarantined() {
        Await.until("a message in quarantine", () -> quarantined() > 0);
        assertThat(quarantined()).isEqualTo(1);
        try {
            return DeadLetter.reasons(queues.quarantine().receiveMessage().msgBody);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected long quarantined() {
        return TestQueues.all(queues.quarantine()) + TestQueues.all(queues.dead());
    }

    /** For longer than the message's timeout: else its handle still works afterwards, and nothing comes again. */
    @Override
    protected void restartBroker() {
        broker.standIn().kill();
        broker.standIn().restart();
        Await.until("the message is visible again", () -> TestQueues.attributes(queues.credits()).activeMsgNum == 1);
    }

    @Test
    void logsNoMessageThatCameAfterALongPoll() {
        try (Child consumer = startConsumer(StopPoint.NOWHERE)) {
            byte[] body = "secret-4711".getBytes(StandardCharsets.UTF_8);
            send(body, 2);
            send(body, 4); // two seconds after the first, so that it is waited for as long

            Await.until("both are in quarantine", () -> quarantined() == 2 && left() == 0);

            assertThat(consumer.log()).doesNotContain("4711");
        }
    }
}
