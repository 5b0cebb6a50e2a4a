package io.dedupstore.examples.rocketmq;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.examples.credit.Console;
import io.dedupstore.examples.credit.Ledger;
import java.time.Duration;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** The consumer process of the drills: the example's consumer, which tells the broker sooner what it has consumed. */
public final class DrilledConsumer {
    static final Duration LOCK_WAIT = Duration.ofSeconds(1);

    private DrilledConsumer() {}

    public static void main(String[] args) throws Exception {
        // how soon a consumer takes over what another has left, by default 20 s
        System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
        System.setProperty("rocketmq.client.rebalance.minInterval", "200");
        Console console = Console.open();
        DedupStore store = DedupStore.builder(pool(console.next()))
                .table(Ledger.CLAIM_TABLE)
                .lockWait(LOCK_WAIT)
                .listener(console)
                .build();
        String nameServer = console.next();
        String group = console.next();
        DefaultMQPushConsumer consumer = CreditConsumer.create(nameServer, group, console.next());
        Quarantine quarantine =
                new Quarantine(CreditConsumer.producer(nameServer, group + "-quarantine"), console.next());
        consumer.setInstanceName(console.next());
        consumer.setPollNameServerInterval(500);
        consumer.setHeartbeatBrokerInterval(1_000);
        consumer.setPersistConsumerOffsetInterval(200);
        consumer.registerMessageListener(new CreditListener(
                store,
                (tx, credit) -> {
                    Ledger.credit(tx, credit);
                    console.beforeCommit(credit.eventId());
                },
                quarantine));
        consumer.start();
        console.ready();
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }
}
