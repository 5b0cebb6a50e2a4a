package io.dedupstore.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.Claim;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MicrometerDedupListenerTest {
    private static final UUID CLAIM = UUID.randomUUID();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerDedupListener listener = new MicrometerDedupListener(registry);
    private final Event event = event("billing", "payment-1");
    private final Claim stored = new Claim(event.key(), event.hash(), CLAIM, Instant.EPOCH);

    private static Event event(String consumer, String id) {
        return Event.of(EventKey.of("acme", consumer, id), PayloadHash.ofText("payload"));
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    @Test
    void nothingIsRegisteredBeforeItIsNeeded() {
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void timesAreRecorded() {
        listener.applied(event, CLAIM, Duration.ofMillis(30));
        listener.applied(event, CLAIM, Duration.ofMillis(10));
        listener.lockWait(event, Duration.ofMillis(7));
        Timer applied = registry.get("dedup.applied").tag("consumer", "billing").timer();
        assertThat(applied.count()).isEqualTo(2);
        assertThat(applied.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40);
        assertThat(applied.max(TimeUnit.MILLISECONDS)).isEqualTo(30);
        Timer waited =
                registry.get("dedup.lock.wait").tag("consumer", "billing").timer();
        assertThat(waited.count()).isEqualTo(1);
        assertThat(waited.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(7);
    }

    @Test
    void newsAreCounted() {
        listener.duplicate(event, stored);
        listener.duplicate(event, stored);
        listener.conflict(event, new PayloadConflictException(stored, PayloadHash.ofText("other")));
        listener.retry(event, 1, Duration.ZERO, new IllegalStateException());
        listener.inDoubt(event, CLAIM);
        assertThat(count("dedup.duplicates", "consumer", "billing")).isEqualTo(2);
        assertThat(count("dedup.conflicts", "consumer", "billing")).isEqualTo(1);
        assertThat(count("dedup.retries", "consumer", "billing")).isEqualTo(1);
        assertThat(count("dedup.in.doubt", "consumer", "billing")).isEqualTo(1);
    }

    @Test
    void failuresAreCountedByDisposition() {
        listener.failed(event, new IllegalStateException(), Disposition.RETRY);
        listener.failed(event, new IllegalStateException(), Disposition.RETRY);
        listener.failed(event, new IllegalStateException(), Disposition.QUARANTINE);
        assertThat(count("dedup.failures", "disposition", "RETRY")).isEqualTo(2);
        assertThat(count("dedup.failures", "disposition", "QUARANTINE")).isEqualTo(1);
    }

    @Test
    void consumersAreCountedApartAndNothingUnboundedIsATag() {
        for (int i = 0; i < 100; i++) {
            for (String consumer : new String[] {"billing", "mail"}) {
                Event each = Event.of(
                        new EventKey("tenant-" + i, consumer, "payment-" + i), PayloadHash.ofText("payload " + i));
                listener.applied(each, UUID.randomUUID(), Duration.ofMillis(1));
                listener.lockWait(each, Duration.ofMillis(1));
                listener.duplicate(each, stored);
                listener.retry(each, i, Duration.ofMillis(i), new IllegalStateException("x" + i));
                listener.inDoubt(each, UUID.randomUUID());
                listener.failed(each, new IllegalStateException("x" + i), Disposition.RETRY);
            }
        }
        assertThat(count("dedup.duplicates", "consumer", "mail")).isEqualTo(100);
        assertThat(registry.getMeters()).hasSize(12);
        assertThat(registry.getMeters().stream()
                        .map(Meter::getId)
                        .flatMap(id -> id.getTags().stream())
                        .map(Tag::getKey)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("consumer", "disposition");
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> new MicrometerDedupListener(null)).isInstanceOf(NullPointerException.class);
    }
}
