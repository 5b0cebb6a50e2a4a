package io.dedupstore.examples.rocketmq;

import io.dedupstore.brokers.RocketServer;
import io.dedupstore.examples.UsageException;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.jspecify.annotations.Nullable;

/** The example's broker: one of its own, or the user's, in which only topics of the example's names are touched. */
final class ExampleBroker implements AutoCloseable {
    private final String nameServer;
    private final @Nullable RocketServer server;
    private final Topics topics;
    private boolean topicsAreOurs;

    private ExampleBroker(String nameServer, @Nullable RocketServer server, Topics topics) {
        this.nameServer = nameServer;
        this.server = server;
        this.topics = topics;
    }

    static ExampleBroker open(@Nullable String given) throws UsageException, InterruptedException, MQClientException {
        RocketServer server = given == null ? RocketServer.start() : null;
        String nameServer = server == null ? String.valueOf(given) : server.address();
        ExampleBroker broker = new ExampleBroker(nameServer, server, new Topics(nameServer));
        try {
            for (String topic : List.of(RocketExample.CREDITS, RocketExample.QUARANTINE)) {
                if (broker.topics.exists(topic)) {
                    throw new UsageException("The broker of --broker already has the topic " + topic
                            + ". Delete it, or give another broker.");
                }
            }
            return broker;
        } catch (RemotingException | MQClientException e) {
            broker.close();
            throw new UsageException("The name server of --broker cannot be used ("
                    + e.getClass().getSimpleName() + "). It is given as host:port.");
        } catch (UsageException e) {
            broker.close();
            throw e;
        }
    }

    String nameServer() {
        return nameServer;
    }

    String description() {
        return "RocketMQ" + (server == null ? " of --broker" : ", its own");
    }

    void createTopics() throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        topicsAreOurs = true;
        topics.create(RocketExample.CREDITS);
        topics.create(RocketExample.QUARANTINE);
    }

    List<MessageExt> quarantined()
            throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        return QuarantineReader.read(nameServer, RocketExample.QUARANTINE, topics.sent(RocketExample.QUARANTINE));
    }

    @Override
    public void close() {
        try {
            if (topicsAreOurs && server == null) {
                topics.delete(RocketExample.CREDITS, RocketExample.GROUP);
                topics.delete(RocketExample.QUARANTINE, QuarantineReader.GROUP);
            }
        } catch (RemotingException | MQBrokerException | MQClientException e) {
            throw new IllegalStateException(
                    "the topics dedup-example-* could not be deleted ("
                            + e.getClass().getSimpleName() + ").",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            topics.close();
            if (server != null) {
                server.close();
            }
        }
    }
}
