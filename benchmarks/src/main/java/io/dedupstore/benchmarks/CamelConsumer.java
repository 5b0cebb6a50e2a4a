package io.dedupstore.benchmarks;

import java.util.Objects;
import javax.sql.DataSource;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;

/** Camel's repository, which makes its own table. */
final class CamelConsumer implements Consumer {
    private final Spring spring;
    private final JdbcMessageIdRepository repository;

    CamelConsumer(DataSource pool) {
        this.spring = new Spring(pool);
        this.repository = new JdbcMessageIdRepository(pool, "bench");
        repository.start();
    }

    @Override
    public boolean consume(Delivery delivery, Hold hold) {
        return Objects.requireNonNull(spring.transaction().execute(status -> {
            if (!repository.add(delivery.eventId())) {
                return false;
            }
            spring.credit(delivery);
            hold.inTransaction();
            return true;
        }));
    }
}
