package io.dedupstore.examples.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Child;
import io.dedupstore.examples.credit.ConsumerDrill;
import io.dedupstore.examples.credit.StopPoint;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** The drills of all consumers, on RocketMQ and MySQL. */
class RocketDrillTest extends ConsumerDrill {
    private TestTopics topics;
    private int consumers;

    @Override
    protected String url() {
        return Ground.url(Duration.ofSeconds(5));
    }

    @Override
    protected void createQueues() {
        topics = TestTopics.create();
    }

    @AfterEach
    void closeTopics() {
        if (topics != null) {
            topics.close();
        }
    }

    @Override
    protected void send(String eventId, byte[] body) {
        topics.send(eventId, body);
    }

    /** The topic has one queue, which goes to the consumer whose name is the first in the alphabet: the latest. */
    @Override
    protected Child startConsumer(StopPoint stopPoint) {
        consumers++;
        return Child.start(
                DrilledConsumer.class,
                stopPoint,
                Ground.url(DrilledConsumer.LOCK_WAIT),
                Ground.nameServer(),
                topics.group(),
                topics.credits(),
                topics.quarantine(),
                String.format(Locale.ROOT, "drill-%03d", 999 - consumers));
    }

    /**
     * Nothing to do: when the second consumer comes, the queue is its own. Of what the first is at work with the broker
     * knows nothing, and delivers it again.
     */
    @Override
    protected void outrun(Child first, Child second) {}

    @Override
    protected long left() {
        return topics.left();
    }

    @Override
    protected Map<String, String> awaitQuarantined() {
        Await.until("a message in quarantine", () -> topics.quarantined() > 0);
        assertThat(topics.quarantined()).isEqualTo(1);
        return topics.readQuarantine().get(0).getProperties();
    }

    @Override
    protected long quarantined() {
        return topics.quarantined() + topics.dead();
    }

    @Override
    protected void breakDatabase() {
        Ground.database().kill();
    }

    @Override
    protected void mendDatabase() {
        Ground.database().restart();
    }

    @Override
    protected void restartBroker() {
        Ground.broker().kill();
        Ground.broker().restart();
    }

    /** The consumer keeps what was delivered and tells the broker when it is back. */
    @Override
    protected boolean redeliversAfterRestart() {
        return false;
    }
}
