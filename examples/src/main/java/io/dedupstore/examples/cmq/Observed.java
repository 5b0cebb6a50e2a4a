package io.dedupstore.examples.cmq;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;

/** Writes down what the store answers, and brings about what is to go wrong. */
final class Observed implements DedupListener {
    private final Map<String, List<String>> outcomes = new ConcurrentHashMap<>();
    private final AtomicBoolean failed = new AtomicBoolean();

    List<String> outcomes(String event) {
        return outcomes.getOrDefault(event, List.of());
    }

    private void note(Event event, String outcome) {
        outcomes.computeIfAbsent(event.key().eventId(), id -> new CopyOnWriteArrayList<>())
                .add(outcome);
    }

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
        note(event, "applied");
    }

    @Override
    public void duplicate(Event event, Claim stored) {
        note(event, "duplicate");
    }

    @Override
    public void conflict(Event event, PayloadConflictException conflict) {
        note(event, "conflict");
    }

    @Override
    public void failed(Event event, Throwable failure, Disposition disposition) {
        if (disposition == Disposition.RETRY) {
            note(event, "failed");
        }
    }
}
