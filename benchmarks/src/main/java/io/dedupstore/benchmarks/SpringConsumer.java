package io.dedupstore.benchmarks;

import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.jdbc.core.JdbcTemplate;

/** Spring Integration's metadata store, with the table of its own script. */
final class SpringConsumer implements Consumer {
    private final Spring spring;
    private final JdbcMetadataStore store;

    SpringConsumer(DataSource pool) throws Exception {
        this.spring = new Spring(pool);
        new JdbcTemplate(pool)
                .execute("CREATE TABLE IF NOT EXISTS INT_METADATA_STORE (METADATA_KEY VARCHAR(255) NOT NULL,"
                        + " METADATA_VALUE VARCHAR(4000), REGION VARCHAR(100) NOT NULL,"
                        + " CONSTRAINT INT_METADATA_STORE_PK PRIMARY KEY (METADATA_KEY, REGION))");
        this.store = new JdbcMetadataStore(pool);
        store.afterPropertiesSet();
    }

    @Override
    public boolean consume(Delivery delivery, Hold hold) {
        return Objects.requireNonNull(spring.transaction().execute(status -> {
            if (store.putIfAbsent(delivery.eventId(), "claimed") != null) {
                return false;
            }
            spring.credit(delivery);
            hold.inTransaction();
            return true;
        }));
    }
}
