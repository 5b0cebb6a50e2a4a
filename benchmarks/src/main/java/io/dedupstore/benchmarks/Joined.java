package io.dedupstore.benchmarks;

import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import java.sql.Connection;
import javax.sql.DataSource;

/** This library in a transaction of the caller's own. */
final class Joined implements Consumer {
    private final DataSource pool;
    private final DedupStore store;

    Joined(DataSource pool) {
        this.pool = pool;
        this.store = DedupStore.builder(pool).build();
        store.schema().create();
    }

    @Override
    public boolean consume(Delivery delivery, Hold hold) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            boolean claimed = store.claim(connection, Owned.event(delivery)) instanceof ClaimResult.Claimed;
            if (claimed) {
                Business.credit(connection, delivery.account());
                hold.inTransaction();
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
            return claimed;
        }
    }
}
