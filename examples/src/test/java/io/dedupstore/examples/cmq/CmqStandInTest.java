package io.dedupstore.examples.cmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.qcloud.cmq.Account;
import com.qcloud.cmq.CMQServerException;
import com.qcloud.cmq.Message;
import com.qcloud.cmq.Queue;
import com.qcloud.cmq.entity.CmqConfig;
import io.dedupstore.examples.credit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stand-in as the SDK sees it, held against what is published about CMQ. */
@Timeout(60)
class CmqStandInTest {
    private static TestQueues broker;

    private Queue queue;

    @BeforeAll
    static void startBroker() {
        broker = TestQueues.start();
    }

    @AfterAll
    static void endBroker() {
        broker.close();
    }

    @BeforeEach
    void createQueue() {
        queue = broker.create(0).credits();
    }

    private static void assertRefused(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CMQServerException.class)
                .extracting(Throwable::toString)
                .asString()
                .startsWith("code:" + code + ",");
    }

    private static Account account(String id, String key, String algorithm, String method) {
        CmqConfig config = new CmqConfig();
        config.setEndpoint(broker.standIn().address());
        config.setSecretId(id);
        config.setSecretKey(key);
        config.setSignMethod(algorithm);
        config.setMethod(method);
        return new Account(config);
    }

    private void awaitVisible() {
        Await.until("visible again", () -> TestQueues.attributes(queue).activeMsgNum == 1);
    }

    @ParameterizedTest
    @CsvSource({"sha1,POST", "sha256,POST", "sha1,GET", "sha256,GET"})
    void acceptsWhatIsSigned(String algorithm, String method) throws Exception {
        Account owner = account(broker.standIn().secretId(), broker.standIn().secretKey(), algorithm, method);

        owner.getQueue(broker.latest()).send("a+b&c=d %\u00e9_\u4e2d\ud83d\ude00\n\"");

        assertThat(queue.receiveMessage().msgBody).isEqualTo("a+b&c=d %\u00e9_\u4e2d\ud83d\ude00\n\"");
    }

    @Test
    void refusesAnotherKeyAndAnotherId() {
        Account wrongKey = account(broker.standIn().secretId(), "another", "sha256", "POST");
        Account wrongId = account("another", broker.standIn().secretKey(), "sha256", "POST");

        assertRefused(4100, () -> wrongKey.getQueue(broker.latest()).send("x"));
        assertRefused(4100, () -> wrongId.getQueue(broker.latest()).send("x"));
        assertThat(TestQueues.all(queue)).isZero();
    }

    @Test
    void onlyTheLatestHandleDeletes() throws Exception {
        queue.send("x");
        Message first = queue.receiveMessage();
        awaitVisible();
        Message second = queue.receiveMessage();

        assertRefused(4430, () -> queue.deleteMessage(first.receiptHandle));
        assertThat(TestQueues.all(queue)).isEqualTo(1);
        queue.deleteMessage(second.receiptHandle);
        assertThat(TestQueues.all(queue)).isZero();
        assertRefused(4430, () -> queue.deleteMessage(second.receiptHandle));

        assertThat(second.msgId).isEqualTo(first.msgId);
        assertThat(second.firstDequeueTime).isEqualTo(first.firstDequeueTime);
        assertThat(List.of(first.dequeueCount, second.dequeueCount)).containsExactly(1, 2);
    }

    @Test
    void aHandleIsVoidWhenTheMessageIsVisibleAgain() throws Exception {
        queue.send("x");
        Message message = queue.receiveMessage();
        assertThat(message.nextVisibleTime - message.firstDequeueTime).isEqualTo(TestQueues.VISIBILITY_S);
        awaitVisible();

        assertRefused(4430, () -> queue.deleteMessage(message.receiptHandle));

        assertThat(TestQueues.all(queue)).isEqualTo(1);
    }

    @Test
    void aReceivedMessageIsInvisible() throws Exception {
        queue.send("x");
        queue.receiveMessage();

        assertRefused(7000, queue::receiveMessage);
        assertThat(TestQueues.attributes(queue).inactiveMsgNum).isEqualTo(1);
    }

    @Test
    void aLongPollEndsWithTheFirstMessage() throws Exception {
        Queue polled = broker.create(broker.latest() + "-polled", 30);
        CompletableFuture<String> received = CompletableFuture.supplyAsync(() -> {
            try {
                return polled.receiveMessage().msgBody;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        polled.send("x");

        assertThat(received.get(20, TimeUnit.SECONDS)).isEqualTo("x");
    }

    @Test
    void aLongPollEndsWhenAMessageBecomesVisible() throws Exception {
        Queue polled = broker.create(broker.latest() + "-polled", 30);
        polled.send("x", 1);
        long began = System.nanoTime();

        assertThat(polled.receiveMessage().msgBody).isEqualTo("x");
        assertThat(polled.receiveMessage().dequeueCount).isEqualTo(2);

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(20));
    }

    @Test
    void aLongPollEndsWithoutAMessage() {
        Queue polled = broker.create(broker.latest() + "-polled", 1);
        long began = System.nanoTime();

        assertRefused(7000, polled::receiveMessage);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(950));
    }

    @Test
    void receivesAndDeletesBatches() throws Exception {
        queue.batchSend(List.of("a", "b", "c"));

        List<Message> batch = queue.batchReceiveMessage(16);
        assertThat(batch).extracting(message -> message.msgBody).containsExactly("a", "b", "c");
        assertRefused(6010, () -> queue.batchDeleteMessage(List.of(batch.get(0).receiptHandle, "void")));
        assertThat(TestQueues.all(queue)).isEqualTo(2);
        assertRefused(6020, () -> queue.batchDeleteMessage(List.of("void", batch.get(0).receiptHandle)));
        queue.batchDeleteMessage(List.of(batch.get(1).receiptHandle, batch.get(2).receiptHandle));
        assertThat(TestQueues.all(queue)).isZero();
        assertRefused(7000, () -> queue.batchReceiveMessage(1));
    }

    @Test
    void refusesWhatIsNotPublished() {
        Queue none = broker.account().getQueue("dedup-example-none");

        assertRefused(4440, none::receiveMessage);
        assertRefused(4440, () -> none.send("x"));
        assertRefused(4000, () -> queue.batchReceiveMessage(17));
        assertRefused(4000, () -> queue.rewindQueue(1));
        assertRefused(4000, () -> broker.account().createQueue("1-digit-first", new com.qcloud.cmq.QueueMeta()));
    }

    @Test
    void messagesAndHandlesOutliveTheProcess() throws Exception {
        queue.send("a");
        Message before = queue.receiveMessage();
        queue.send("b", 3_600);

        broker.standIn().kill();
        broker.standIn().restart();

        assertThat(TestQueues.all(queue)).isEqualTo(2);
        awaitVisible();
        Message after = queue.receiveMessage();
        assertThat(after.msgBody).isEqualTo("a");
        assertThat(after.dequeueCount).isEqualTo(2);
        assertRefused(4430, () -> queue.deleteMessage(before.receiptHandle));
        queue.deleteMessage(after.receiptHandle);
    }
}
