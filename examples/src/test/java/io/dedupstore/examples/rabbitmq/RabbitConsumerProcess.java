package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.RetryPolicy;
import io.dedupstore.examples.credit.Console;
import io.dedupstore.examples.credit.Ledger;
import java.time.Duration;

/**
 * The consumer as a process that a drill can kill. Its store gives up early, for the drill's broker has little patience:
 * {@link RabbitDrillTest#CONSUMER_TIMEOUT_MS}. The queues have their defaults.
 */
final class RabbitConsumerProcess {
    private RabbitConsumerProcess() {}

    public static void main(String[] args) throws Exception {
        Console console = Console.open();
        String database = console.next();
        String broker = console.next();
        Queues queues = Queues.of(console.next());

        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(1_000);
        DedupStore store = DedupStore.builder(new HikariDataSource(config))
                .table(Ledger.CLAIM_TABLE)
                .lockWait(Duration.ofSeconds(2))
                .retry(RetryPolicy.defaults().withDeadline(Duration.ofSeconds(1)))
                .listener(console)
                .build();

        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker);
        factory.setNetworkRecoveryInterval(500);
        Connection connection = factory.newConnection();
        CreditConsumer.start(connection, queues, 10, store, (tx, credit) -> {
            Ledger.credit(tx, credit);
            console.beforeCommit(credit.eventId());
        });
        console.ready();
    }
}
