package io.dedupstore.brokers;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * Without the listener for replicas, of which there are none: it would listen on all interfaces. RocketMQ finds this class
 * by the file {@code META-INF/service/org.apache.rocketmq.store.ha.HAService}.
 */
public final class NoReplicas extends DefaultHAService {
    @Override
    public void start() {
        groupTransferService.start();
        haConnectionStateNotificationService.start();
    }

    @Override
    public void shutdown() {
        groupTransferService.shutdown();
        haConnectionStateNotificationService.shutdown();
    }
}
