package io.dedupstore.brokers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.netty.TlsSystemConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * The program of {@link RocketServer}: RocketMQ's name server and one broker in one JVM. It says {@value #READY} when
 * clients can use it, and ends when its standard input does.
 */
final class RocketProcess {
    static final String READY = "ready";

    private static final String LOOPBACK = "127.0.0.1";
    private static final String NAME = "dedup";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private RocketProcess() {}

    /** Arguments: the folder, the name server's port, the broker's port. */
    public static void main(String[] args) throws Exception {
        // as RocketMQ's own programs do; else the name server takes the broker for an old one and forgets its topics
        System.setProperty(RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
        // else a certificate is made at each start, by a library that is not there
        System.setProperty(TlsSystemConfig.TLS_SERVER_MODE, "disabled");
        try {
            Path folder = Path.of(args[0]);
            NamesrvController nameServer = startNameServer(folder, Integer.parseInt(args[1]));
            BrokerController broker = startBroker(folder, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            register(broker, nameServer);
            System.out.println(READY);
            awaitEnd();
        } catch (Exception | LinkageError e) {
            System.err.println("RocketMQ broke off: " + e);
        }
        // its threads would keep it alive; and what it does in an orderly shutdown takes a quarter of a minute
        Runtime.getRuntime().halt(1);
    }

    private static NamesrvController startNameServer(Path folder, int port) throws Exception {
        NamesrvConfig config = new NamesrvConfig();
        config.setRocketmqHome(folder.toString());
        config.setKvConfigPath(folder.resolve("names.json").toString());
        config.setConfigStorePath(folder.resolve("names.properties").toString());
        NamesrvController nameServer = new NamesrvController(config, network(port));
        require(nameServer.initialize());
        nameServer.start();
        return nameServer;
    }

    private static BrokerController startBroker(Path folder, int nameServerPort, int port) throws Exception {
        BrokerConfig config = new BrokerConfig();
        config.setRocketmqHome(folder.toString());
        config.setBrokerName(NAME);
        config.setBrokerClusterName(NAME);
        config.setBrokerIP1(LOOPBACK);
        config.setBrokerIP2(LOOPBACK);
        config.setNamesrvAddr(LOOPBACK + ":" + nameServerPort);
        BrokerController broker =
                new BrokerController(config, network(port), new NettyClientConfig(), store(folder.resolve("store")));
        require(broker.initialize());
        broker.start();
        return broker;
    }

    private static NettyServerConfig network(int port) {
        NettyServerConfig config = new NettyServerConfig();
        config.setBindAddress(LOOPBACK);
        config.setListenPort(port);
        config.setServerWorkerThreads(2);
        config.setServerSelectorThreads(1);
        return config;
    }

    /** Small files, and a message that is sent back comes again after a second, not after 10, 30, 60 ... */
    private static MessageStoreConfig store(Path folder) {
        MessageStoreConfig config = new MessageStoreConfig();
        config.setStorePathRootDir(folder.toString());
        config.setStorePathCommitLog(folder.resolve("commitlog").toString());
        config.setMappedFileSizeCommitLog(8 << 20);
        config.setMappedFileSizeConsumeQueue(200_000);
        config.setMaxHashSlotNum(10_000);
        config.setMaxIndexNum(40_000);
        config.setMappedFileSizeTimerLog(1 << 20);
        config.setMessageDelayLevel("1s ".repeat(18).trim());
        config.setFlushDiskType("SYNC_FLUSH");
        // a share of the user's disk, above which the broker refuses messages
        config.setDiskMaxUsedSpaceRatio(95);
        return config;
    }

    /** The broker itself would try again only after ten seconds, if it was not connected to the name server yet. */
    private static void register(BrokerController broker, NamesrvController nameServer) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (nameServer
                .getRouteInfoManager()
                .getAllClusterInfo()
                .getBrokerAddrTable()
                .isEmpty()) {
            require(System.nanoTime() < deadline);
            broker.registerBrokerAll(true, false, true);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static void require(boolean done) {
        if (!done) {
            throw new IllegalStateException("RocketMQ did not start.");
        }
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // nothing is said to it
        }
    }
}
