package io.dedupstore.examples.cmq;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.RetryPolicy;
import io.dedupstore.examples.credit.Console;
import io.dedupstore.examples.credit.Ledger;
import java.time.Duration;

/**
 * The consumer as a process that a drill can kill. Its store gives up early, for the drill's messages are visible again
 * early; the number of attempts is the default.
 */
final class CmqConsumerProcess {
    private CmqConsumerProcess() {}

    public static void main(String[] args) {
        // as in an application that does not know that this logger is better off
        System.setProperty("org.slf4j.simpleLogger.log.com.qcloud.cmq", "warn");
        Console console = Console.open();
        String database = console.next();
        String endpoint = console.next();
        String secretId = console.next();
        String secretKey = console.next();
        Queues queues = Queues.of(Cmq.connect(endpoint, secretId, secretKey), console.next());

        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(1_000);
        DedupStore store = DedupStore.builder(new HikariDataSource(config))
                .table(Ledger.CLAIM_TABLE)
                .lockWait(Duration.ofSeconds(1))
                .retry(RetryPolicy.defaults().withDeadline(Duration.ofSeconds(1)))
                .listener(console)
                .build();

        CreditConsumer consumer = new CreditConsumer(queues, store, (tx, credit) -> {
            Ledger.credit(tx, credit);
            console.beforeCommit(credit.eventId());
        });
        console.ready();
        consumer.run();
    }
}
