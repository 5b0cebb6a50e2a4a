package io.dedupstore.examples.rocketmq;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Reads a topic from its beginning, as an operator would, without consuming it. */
final class QuarantineReader {
    static final String GROUP = "dedup-example-reader";

    private static final long PATIENCE_S = 30;

    private QuarantineReader() {}

    /**
     * Reads.
     *
     * @param nameServer its host and port
     * @param topic what to read
     * @param count how many messages there are
     * @return so many messages, fewer if they do not come in time
     */
    static List<MessageExt> read(String nameServer, String topic, long count) throws MQClientException {
        DefaultLitePullConsumer reader = new DefaultLitePullConsumer(GROUP);
        reader.setNamesrvAddr(nameServer);
        reader.setAutoCommit(false);
        reader.start();
        try {
            Collection<MessageQueue> queues = reader.fetchMessageQueues(topic);
            reader.assign(queues);
            for (MessageQueue queue : queues) {
                reader.seekToBegin(queue);
            }
            List<MessageExt> read = new ArrayList<>();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
            while (read.size() < count && System.nanoTime() < deadline) {
                read.addAll(reader.poll(TimeUnit.SECONDS.toMillis(1)));
            }
            return read;
        } finally {
            reader.shutdown();
        }
    }
}
