package io.dedupstore.examples.rocketmq;

import io.dedupstore.brokers.RocketServer;
import io.dedupstore.servers.MysqlBinaries;
import io.dedupstore.servers.MysqlServer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/**
 * Broker and database of the tests, started once per JVM. RocketMQ: the name server {@code -Ddedup.rocketmq.namesrv}, else
 * our own from Maven, with which alone it can be killed. What is not to be had is reported, and fails the build if
 * {@code -Ddedup.require} names it.
 */
final class Ground {
    private static final String GIVEN = System.getProperty("dedup.rocketmq.namesrv");

    private static RocketServer broker;
    private static MysqlServer database;

    private Ground() {}

    static synchronized String nameServer() {
        return GIVEN == null ? broker().address() : GIVEN;
    }

    /** Our own, to be killed. */
    static synchronized RocketServer broker() {
        if (GIVEN != null) {
            throw absent("rocketmq", "a RocketMQ that may be killed");
        }
        if (broker == null) {
            broker = RocketServer.start();
        }
        return broker;
    }

    static synchronized MysqlServer database() {
        if (database == null) {
            database = MysqlBinaries.mysql80()
                    .map(MysqlServer::start)
                    .orElseThrow(() -> absent("mysql80", "a MySQL 8.0.12"));
        }
        return database;
    }

    /** With the sessions' settings that a store with this {@code lockWait} needs. */
    static String url(Duration lockWait) {
        return database().url() + "&useLocalSessionState=true&connectTimeout=2000&socketTimeout=10000"
                + "&sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout="
                + lockWait.toSeconds();
    }

    private static RuntimeException absent(String name, String what) {
        String said = "There is not " + what + " to test with";
        if (Arrays.asList(System.getProperty("dedup.require", "").split(",")).contains(name)) {
            throw new AssertionError(said + ", but -Ddedup.require names it");
        }
        System.err.println("[dedup-store-examples] NOT TESTED: " + said);
        return Assumptions.abort(said);
    }
}
