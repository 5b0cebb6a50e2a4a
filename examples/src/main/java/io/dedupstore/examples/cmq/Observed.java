package io.dedupstore.examples.cmq;

import io.dedupstore.Event;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import io.dedupstore.examples.credit.Outcomes;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;

/** Brings about what is to go wrong. */
final class Observed extends Outcomes {
    private final AtomicBoolean failed = new AtomicBoolean();

    /** The work. */
    void credit(Handle tx, Credit credit) {
        Ledger.credit(tx, credit);
        if (credit.eventId().equals(Sent.FAILS_ONCE) && failed.compareAndSet(false, true)) {
            throw new IllegalStateException("This work fails once, as the example wants it to.");
        }
    }

    /** After the commit, and before the message is deleted. */
    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        if (event.key().eventId().equals(Sent.DELETED_LATE)) {
            LockSupport.parkNanos(ExampleQueues.VISIBILITY.plusMillis(200).toNanos());
        }
        super.applied(event, claimId, took);
    }
}
