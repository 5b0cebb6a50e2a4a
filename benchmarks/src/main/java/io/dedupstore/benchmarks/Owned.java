package io.dedupstore.benchmarks;

import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import java.time.Duration;
import javax.sql.DataSource;

/** This library in owned mode, with its default settings. */
final class Owned implements Consumer {
    private final DedupStore store;

    Owned(DataSource pool, String table) {
        this.store =
                DedupStore.builder(pool).table(table).listener(new Counting()).build();
        store.schema().create();
    }

    /** With a listener, as in production. */
    private static final class Counting implements DedupListener {
        @Override
        public void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {
            Tally.retry();
        }
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
