package io.dedupstore.examples.cmq;

import com.qcloud.cmq.Account;
import com.qcloud.cmq.Queue;
import com.qcloud.cmq.QueueMeta;
import io.dedupstore.brokers.CmqStandIn;
import java.util.UUID;

/** A stand-in, and fresh queues on it whose messages are visible again after a second. For one thread. */
final class TestQueues implements AutoCloseable {
    static final int VISIBILITY_S = 1;

    private final CmqStandIn standIn = CmqStandIn.start();
    private final Account account = Cmq.connect(standIn.address(), standIn.secretId(), standIn.secretKey());
    private String name = "";

    static TestQueues start() {
        return new TestQueues();
    }

    CmqStandIn standIn() {
        return standIn;
    }

    Account account() {
        return account;
    }

    /** All three queues; the first with long polls. */
    Queues create(int pollingSeconds) {
        Queues queues = name();
        create(name, pollingSeconds);
        create(Queues.quarantine(name), 0);
        create(Queues.dead(name), 0);
        return queues;
    }

    /** Queues that are not there yet. */
    Queues name() {
        name = "dedup-example-" + UUID.randomUUID().toString().substring(0, 8);
        return Queues.of(account, name);
    }

    /** The name of the latest. */
    String latest() {
        return name;
    }

    Queue create(String queue, int pollingSeconds) {
        QueueMeta meta = new QueueMeta();
        meta.visibilityTimeout = VISIBILITY_S;
        meta.pollingWaitSeconds = pollingSeconds;
        try {
            account.createQueue(queue, meta);
            return account.getQueue(queue);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static QueueMeta attributes(Queue queue) {
        try {
            return queue.getQueueAttributes();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** How many messages there are, visible or not. */
    static long all(Queue queue) {
        QueueMeta meta = attributes(queue);
        return (long) meta.activeMsgNum + meta.inactiveMsgNum + meta.delayMsgNum;
    }

    @Override
    public void close() {
        standIn.close();
    }
}
