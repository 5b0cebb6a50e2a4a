package io.dedupstore.examples.cmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.qcloud.cmq.Queue;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.examples.credit.Await;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the consumer does with a message, on SQLite and the wire stand-in; what a crash does to it is in the drills. */
@Timeout(120)
class CreditConsumerTest {
    private static final String ACCOUNT = "a";

    private static TestQueues broker;

    @TempDir
    Path folder;

    private final List<CreditConsumer> consumers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private Jdbi jdbi;
    private Queues queues;

    @BeforeAll
    static void startBroker() {
        broker = TestQueues.start();
    }

    @AfterAll
    static void endBroker() {
        broker.close();
    }

    @BeforeEach
    void create() {
        jdbi = Jdbi.create("jdbc:sqlite:" + folder.resolve("test.db") + "?journal_mode=WAL");
        Ledger.create(jdbi);
        Ledger.open(jdbi, ACCOUNT);
        store(DedupListener.NONE).schema().create();
        queues = broker.create(1);
    }

    @AfterEach
    void end() throws InterruptedException {
        consumers.forEach(CreditConsumer::close);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private DedupStore store(DedupListener listener) {
        return DedupStore.builder(jdbi)
                .table(Ledger.CLAIM_TABLE)
                .listener(listener)
                .build();
    }

    private void start(int maxReceives, DedupListener listener, BiConsumer<Handle, Credit> work) {
        CreditConsumer consumer = new CreditConsumer(queues, maxReceives, store(listener), work);
        Thread thread = new Thread(consumer, "consumer");
        consumers.add(consumer);
        threads.add(thread);
        thread.start();
    }

    private void start(DedupListener listener) {
        start(CreditConsumer.MAX_RECEIVES, listener, Ledger::credit);
    }

    private static String credit(String event, long amount) {
        return new String(new Credit(event, ACCOUNT, amount).bodyWithId(), StandardCharsets.UTF_8);
    }

    private Ledger.State account() {
        return Ledger.read(jdbi, ACCOUNT);
    }

    private void awaitNoneLeft() {
        Await.until("no message left", () -> TestQueues.all(queues.credits()) == 0);
    }

    private static String only(Queue queue) throws Exception {
        assertThat(TestQueues.all(queue)).isEqualTo(1);
        return queue.receiveMessage().msgBody;
    }

    @Test
    void aFailedDeleteNeitherUndoesNorRepeatsAndTheNextHandleDeletes() throws Exception {
        AtomicInteger duplicates = new AtomicInteger();
        start(new DedupListener() {
            @Override
            public void applied(Event event, UUID claimId, Duration took) {
                Await.until("its handle is void", () -> TestQueues.attributes(queues.credits()).activeMsgNum == 1);
            }

            @Override
            public void duplicate(Event event, io.dedupstore.Claim stored) {
                duplicates.incrementAndGet();
            }
        });
        queues.credits().send(credit("e-1", 2_500));

        Await.until("it came again", () -> duplicates.get() == 1);
        awaitNoneLeft();

        assertThat(account()).isEqualTo(new Ledger.State(12_500, 1));
        assertThat(duplicates).hasValue(1);
    }

    @Test
    void aMessageIsNotDeletedWhileItsCopyCannotBeSent() throws Exception {
        String quarantine = Queues.quarantine(broker.latest());
        broker.account().deleteQueue(quarantine);
        AtomicInteger conflicts = new AtomicInteger();
        start(new DedupListener() {
            @Override
            public void conflict(Event event, io.dedupstore.PayloadConflictException conflict) {
                conflicts.incrementAndGet();
            }
        });
        queues.credits().send(credit("e-1", 2_500));
        awaitNoneLeft();
        queues.credits().send(credit("e-1", 9_900));
        Await.until("it came again and again", () -> conflicts.get() >= 2);
        assertThat(TestQueues.all(queues.credits())).isEqualTo(1);

        broker.create(quarantine, 0);

        awaitNoneLeft();
        assertThat(DeadLetter.reasons(only(queues.quarantine())))
                .containsOnlyKeys(DeadLetter.REASON, DeadLetter.STORED_HASH, DeadLetter.RECEIVED_HASH);
        assertThat(account()).isEqualTo(new Ledger.State(12_500, 1));
    }

    @Test
    void theCopyHoldsTheMessageAsItCame() throws Exception {
        String body = "no JSON, \"quoted\", 100%+&=\n\u00e9\ud83d\ude00";
        start(DedupListener.NONE);
        queues.credits().send(body);

        awaitNoneLeft();

        assertThat(only(queues.quarantine())).isEqualTo(DeadLetter.of(body, "The message is not one JSON object."));
    }

    @Test
    void anIdThatIsNoTextIsQuarantined() throws Exception {
        start(DedupListener.NONE);
        queues.credits().send(credit("e-?", 2_500).replace("?", "\\ud800"));

        awaitNoneLeft();

        assertThat(DeadLetter.reasons(only(queues.quarantine()))).containsOnlyKeys(DeadLetter.REASON);
        assertThat(account()).isEqualTo(new Ledger.State(10_000, 0));
    }

    @Test
    void whatFailsTooOftenIsPutAsideAndIsNotQuarantined() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        start(2, DedupListener.NONE, (tx, credit) -> {
            Ledger.credit(tx, credit);
            attempts.incrementAndGet();
            throw new IllegalStateException("never works");
        });
        queues.credits().send(credit("e-1", 2_500));

        awaitNoneLeft();

        assertThat(DeadLetter.reasons(only(queues.dead()))).containsEntry(DeadLetter.REASON, "2 attempts have failed.");
        assertThat(attempts).hasValue(2);
        assertThat(TestQueues.all(queues.quarantine())).isZero();
        assertThat(account()).isEqualTo(new Ledger.State(10_000, 0));
    }

    @Test
    void consumesOnAfterItCouldNotReceive() throws Exception {
        queues = broker.name();
        AtomicInteger failures = new AtomicInteger();
        start(DedupListener.NONE);
        Await.until("it was refused several times", () -> failures.incrementAndGet() > 30);
        Queue created = broker.create(broker.latest(), 1);
        created.send(credit("e-1", 2_500));

        awaitNoneLeft();

        assertThat(account()).isEqualTo(new Ledger.State(12_500, 1));
    }

    /** Every answer of the stand-in has the next number. */
    @Test
    void pausesWhenAQueueWithoutLongPollsIsEmpty() throws Exception {
        Queue queue = broker.create(Queues.dead(broker.latest()) + "-x", 0);
        queues = new Queues(queue, queues.quarantine(), queues.dead());
        long first = Long.parseLong(queue.send(credit("e-1", 2_500)).getRequestId());
        long began = System.nanoTime();
        start(DedupListener.NONE);
        long[] own = {0};
        Await.until("it has asked ten times", () -> {
            own[0]++;
            long last = Long.parseLong(queues.quarantine().send("count").getRequestId());
            return last - first - own[0] >= 10;
        });

        // the first request brings the message, the second deletes it, and before each other there is a pause
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(7 * 500));
        assertThat(account()).isEqualTo(new Ledger.State(12_500, 1));
    }
}
