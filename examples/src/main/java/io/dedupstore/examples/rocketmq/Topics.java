package io.dedupstore.examples.rocketmq;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.admin.TopicOffset;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/** Creates and deletes a broker's topics, and counts what is in them. For one thread. */
final class Topics implements AutoCloseable {
    private static final int TIMEOUT_MS = 5_000;
    private static final String DELAYED = "SCHEDULE_TOPIC_XXXX";

    private final DefaultMQAdminExt admin = new DefaultMQAdminExt(TIMEOUT_MS);

    Topics(String nameServer) throws MQClientException {
        admin.setNamesrvAddr(nameServer);
        // there can be one of a name in a JVM
        admin.setAdminExtGroup("dedup-example-admin-" + System.nanoTime());
        admin.start();
    }

    private List<BrokerData> brokers() throws RemotingException, MQBrokerException, InterruptedException {
        return List.copyOf(admin.examineBrokerClusterInfo().getBrokerAddrTable().values());
    }

    private List<String> masters() throws RemotingException, MQBrokerException, InterruptedException {
        List<String> addresses = new ArrayList<>();
        for (BrokerData broker : brokers()) {
            String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
            if (master != null) {
                addresses.add(master);
            }
        }
        return addresses;
    }

    boolean exists(String topic) throws RemotingException, MQClientException, InterruptedException {
        try {
            admin.examineTopicRouteInfo(topic);
            return true;
        } catch (MQClientException e) {
            if (e.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST) {
                return false;
            }
            throw e;
        }
    }

    /** On every broker, with one queue; returns when clients find it. */
    void create(String topic) throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        for (String master : masters()) {
            admin.createAndUpdateTopicConfig(master, new TopicConfig(topic, 1, 1));
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        while (!exists(topic)) {
            if (System.nanoTime() > deadline) {
                throw new MQClientException("The name server does not know the topic " + topic + ".", null);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** With all messages; and what a group that consumed it has left. */
    void delete(String topic, String group)
            throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        for (BrokerData broker : brokers()) {
            Set<String> addresses = Set.copyOf(broker.getBrokerAddrs().values());
            for (String name : List.of(topic, MixAll.getRetryTopic(group), MixAll.getDLQTopic(group))) {
                admin.deleteTopicInBroker(addresses, name);
                admin.deleteTopicInNameServer(Set.copyOf(admin.getNameServerAddressList()), name);
            }
            for (String address : addresses) {
                admin.deleteSubscriptionGroup(address, group, true);
            }
        }
    }

    /** How many messages have ever come in. */
    long sent(String topic) throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        long sent = 0;
        for (String master : masters()) {
            try {
                for (TopicOffset queue :
                        admin.examineTopicStats(master, topic).getOffsetTable().values()) {
                    sent += queue.getMaxOffset();
                }
            } catch (MQBrokerException e) {
                if (e.getResponseCode() != ResponseCode.TOPIC_NOT_EXIST) {
                    throw e;
                }
            }
        }
        return sent;
    }

    /** How many messages have ever been sent back, by whatever group, each time that it happened. */
    long sentBack() throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        return sent(DELAYED);
    }

    /**
     * How many messages a group has not consumed, as far as the brokers know: a consumer tells them some seconds later.
     * Without those that were sent back and wait for the end of their delay.
     */
    long left(String topic, String group)
            throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        long left = 0;
        for (String master : masters()) {
            for (String name : List.of(topic, MixAll.getRetryTopic(group))) {
                left += admin.examineConsumeStats(master, group, name, TIMEOUT_MS)
                        .computeTotalDiff();
            }
        }
        return left;
    }

    /** How many of a group's messages were dead after all their redeliveries. */
    long dead(String group) throws RemotingException, MQBrokerException, MQClientException, InterruptedException {
        return sent(MixAll.getDLQTopic(group));
    }

    @Override
    public void close() {
        admin.shutdown();
    }
}
