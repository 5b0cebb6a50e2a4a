package io.dedupstore.benchmarks;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import javax.sql.DataSource;

/** This library in owned mode, with its default settings. */
final class Owned implements Consumer {
    private final DedupStore store;

    Owned(DataSource pool, String table) {
        this.store = DedupStore.builder(pool).table(table).build();
        store.schema().create();
    }

    static Event event(Delivery delivery) {
        return Event.of(EventKey.of("bench", delivery.eventId()), PayloadHash.ofText(delivery.payload()))
                .redelivered(delivery.redelivered());
    }

    @Override
    public boolean consume(Delivery delivery, Hold hold) throws Exception {
        Outcome<?> outcome = store.claimAndApply(event(delivery), tx -> {
            Business.credit(tx.getConnection(), delivery.account());
            hold.inTransaction();
            return null;
        });
        return outcome instanceof Outcome.Applied;
    }
}
