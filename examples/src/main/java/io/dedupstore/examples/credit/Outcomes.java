package io.dedupstore.examples.credit;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what an example's store answers. Safe for several threads. */
public class Outcomes implements DedupListener {
    private final Map<String, List<String>> outcomes = new ConcurrentHashMap<>();

    /**
     * What came of an event.
     *
     * @param eventId its id
     * @return {@code applied}, {@code duplicate}, {@code conflict} or {@code failed}, in the order of its deliveries
     */
    public final List<String> of(String eventId) {
        return outcomes.getOrDefault(eventId, List.of());
    }

    private void note(Event event, String outcome) {
        outcomes.computeIfAbsent(event.key().eventId(), id -> new CopyOnWriteArrayList<>())
                .add(outcome);
    }

    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        note(event, "applied");
    }

    @Override
    public final void duplicate(Event event, Claim stored) {
        note(event, "duplicate");
    }

    @Override
    public final void conflict(Event event, PayloadConflictException conflict) {
        note(event, "conflict");
    }

    @Override
    public final void failed(Event event, Throwable failure, Disposition disposition) {
        if (disposition == Disposition.RETRY) {
            note(event, "failed");
        }
    }
}
