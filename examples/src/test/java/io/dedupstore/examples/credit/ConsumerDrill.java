package io.dedupstore.examples.credit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a consumer must survive, whatever its broker: consumer processes that are really killed, deliveries that come
 * while the first is still at work, an altered payload, nonsense, a database and a broker that go away. A broker's test
 * says how its messages are sent, delivered and found again.
 */
public abstract class ConsumerDrill {
    protected static final String STORED_HASH = "dedup-stored-hash";
    protected static final String RECEIVED_HASH = "dedup-received-hash";

    private static final String ACCOUNT = "a";

    private final List<Child> children = new ArrayList<>();

    /** {@return the database, the same for every consumer} */
    protected abstract String url();

    /** Makes queues of this test's own, empty. */
    protected abstract void createQueues();

    protected abstract void send(String eventId, byte[] body);

    /** {@return a credit as this broker's message} */
    protected byte[] body(Credit credit) {
        return credit.body();
    }

    /** {@return a consumer that consumes} */
    protected abstract Child startConsumer(StopPoint stopPoint);

    /** Makes the broker deliver again, to the second, what the first consumer is still at work with. */
    protected abstract void outrun(Child first, Child second);

    /** {@return how many messages are to be consumed: ready, delivered and not acknowledged, or to come again later} */
    protected abstract long left();

    /** {@return the one message in quarantine: its headers, once it is there} */
    protected abstract Map<String, String> awaitQuarantined();

    /** {@return how many messages are in quarantine} */
    protected abstract long quarantined();

    protected abstract void breakDatabase();

    protected abstract void mendDatabase();

    /** Ends the broker as a power switch would and starts it again. */
    protected abstract void restartBroker();

    /** {@return whether the broker, when it is back, delivers again what its consumer is still at work with} */
    protected boolean redeliversAfterRestart() {
        return true;
    }

    @BeforeEach
    void createTables() {
        Jdbi jdbi = Jdbi.create(url());
        jdbi.useHandle(handle -> {
            handle.execute("DROP TABLE IF EXISTS " + Ledger.TABLE);
            handle.execute("DROP TABLE IF EXISTS " + Ledger.CLAIM_TABLE);
        });
        Ledger.create(jdbi);
        Ledger.open(jdbi, ACCOUNT);
        DedupStore.builder(jdbi).table(Ledger.CLAIM_TABLE).build().schema().create();
        createQueues();
    }

    @AfterEach
    void endConsumers() {
        children.forEach(Child::close);
    }

    private Child consumer(StopPoint stopPoint) {
        Child child = startConsumer(stopPoint);
        children.add(child);
        return child;
    }

    private void sendCredit(String eventId, long amount) {
        send(eventId, body(new Credit(eventId, ACCOUNT, amount)));
    }

    private void assertCredits(long credits, long balance) {
        assertThat(Ledger.read(Jdbi.create(url()), ACCOUNT)).isEqualTo(new Ledger.State(balance, credits));
    }

    private void assertEndsEmpty() {
        Await.until("no message left", () -> left() == 0);
    }

    @Test
    void killedBeforeTheCommit() {
        Child first = consumer(StopPoint.BEFORE_COMMIT);
        sendCredit("e-1", 2_500);
        first.await("BEFORE_COMMIT e-1");
        first.kill();
        assertCredits(0, 10_000);
        assertThat(left()).isEqualTo(1);

        Child second = consumer(StopPoint.NOWHERE);
        second.await("applied e-1");

        assertEndsEmpty();
        assertCredits(1, 12_500);
    }

    @Test
    void killedAfterTheCommitAndBeforeTheAck() {
        Child first = consumer(StopPoint.AFTER_COMMIT);
        sendCredit("e-1", 2_500);
        first.await("AFTER_COMMIT e-1");
        first.kill();
        assertCredits(1, 12_500);
        assertThat(left()).isEqualTo(1);

        Child second = consumer(StopPoint.NOWHERE);
        second.await("duplicate e-1");

        assertEndsEmpty();
        assertCredits(1, 12_500);
    }

    @Test
    void workOutrunsTheRedelivery() {
        Child first = consumer(StopPoint.BEFORE_COMMIT);
        sendCredit("e-1", 2_500);
        first.await("BEFORE_COMMIT e-1");
        Child second = consumer(StopPoint.NOWHERE);
        outrun(first, second);
        second.await("failed e-1 RETRY"); // the first holds the claim
        // on its way to its next delivery it can be in two places for a moment
        assertThat(left()).isPositive();

        first.goOn();
        first.await("applied e-1");
        Await.until(
                "one of the two knows it when it comes again",
                () -> first.hasSaid("duplicate e-1") || second.hasSaid("duplicate e-1"));

        assertEndsEmpty();
        assertCredits(1, 12_500);
        assertThat(quarantined()).isZero();
    }

    @Test
    void sameIdWithAnotherAmountIsQuarantinedWithBothHashes() {
        Child consumer = consumer(StopPoint.NOWHERE);
        sendCredit("e-1", 2_500);
        consumer.await("applied e-1");
        sendCredit("e-1", 9_977);
        consumer.await("conflict e-1");

        Map<String, String> headers = awaitQuarantined();

        assertThat(headers.get(STORED_HASH)).startsWith("sha256-fields:").isNotEqualTo(headers.get(RECEIVED_HASH));
        assertThat(headers.get(RECEIVED_HASH)).startsWith("sha256-fields:");
        assertEndsEmpty();
        assertCredits(1, 12_500);
        assertThat(consumer.log()).contains("e-1").doesNotContain("9977");
    }

    @Test
    void aMalformedMessageIsQuarantinedAndTheNextIsApplied() {
        Child consumer = consumer(StopPoint.NOWHERE);
        send("e-1", "{\"account\":\"secret-4711".getBytes(StandardCharsets.UTF_8));
        sendCredit("e-2", 2_500);

        consumer.await("applied e-2");
        awaitQuarantined();

        assertEndsEmpty();
        assertCredits(1, 12_500);
        assertThat(consumer.log()).doesNotContain("4711");
    }

    @Test
    void aDatabaseOutageLosesAndQuarantinesNothing() {
        Child consumer = consumer(StopPoint.NOWHERE);
        sendCredit("e-1", 2_500);
        consumer.await("applied e-1");
        breakDatabase();
        try {
            sendCredit("e-2", 100);
            consumer.await("failed e-2 RETRY");
        } finally {
            mendDatabase();
        }

        consumer.await("applied e-2");

        assertEndsEmpty();
        assertCredits(2, 12_600);
        assertThat(quarantined()).isZero();
    }

    @Test
    void aBrokerRestartWithAnUnackedDelivery() {
        Child consumer = consumer(StopPoint.BEFORE_COMMIT);
        sendCredit("e-1", 2_500);
        consumer.await("BEFORE_COMMIT e-1");
        restartBroker();

        consumer.goOn();
        consumer.await("applied e-1");

        if (redeliversAfterRestart()) {
            consumer.await("duplicate e-1");
        }
        assertEndsEmpty();
        assertCredits(1, 12_500);
    }
}
