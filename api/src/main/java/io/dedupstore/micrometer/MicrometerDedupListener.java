package io.dedupstore.micrometer;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/**
 * Counts and times what a store does. Meters are tagged with the consumer, never with a tenant or an event id, whose number
 * is not bounded:
 *
 * <ul>
 *   <li>{@code dedup.applied}, a timer: from the call to the commit, retries included;
 *   <li>{@code dedup.lock.wait}, a timer: how long claims took to be answered;
 *   <li>{@code dedup.duplicates}, {@code dedup.conflicts}, {@code dedup.retries}, {@code dedup.in.doubt}, counters;
 *   <li>{@code dedup.failures}, a counter, also tagged with the disposition.
 * </ul>
 *
 * <p>Safe for any number of threads.
 */
public final class MicrometerDedupListener implements DedupListener {
    private static final String CONSUMER = "consumer";

    private final MeterRegistry registry;

    /**
     * A listener that registers its meters as they are first needed.
     *
     * @param registry where to
     */
    @SuppressWarnings("exports") // whoever has no Micrometer must not need it on the module path
    public MicrometerDedupListener(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        timer("dedup.applied", event).record(took);
    }

    @Override
    public void lockWait(Event event, Duration waited) {
        timer("dedup.lock.wait", event).record(waited);
    }

    @Override
    public void duplicate(Event event, Claim stored) {
        count("dedup.duplicates", event);
    }

    @Override
    public void conflict(Event event, PayloadConflictException conflict) {
        count("dedup.conflicts", event);
    }

    @Override
    public void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {
        count("dedup.retries", event);
    }

    @Override
    public void inDoubt(Event event, UUID claimId) {
        count("dedup.in.doubt", event);
    }

    @Override
    public void failed(Event event, Throwable failure, Disposition disposition) {
        registry.counter("dedup.failures", CONSUMER, event.key().consumer(), "disposition", disposition.name())
                .increment();
    }

    private Timer timer(String name, Event event) {
        return registry.timer(name, CONSUMER, event.key().consumer());
    }

    private void count(String name, Event event) {
        registry.counter(name, CONSUMER, event.key().consumer()).increment();
    }
}
