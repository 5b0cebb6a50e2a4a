package io.dedupstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventTest {
    private static final EventKey KEY = EventKey.of("billing", "payment-1");
    private static final PayloadHash HASH = PayloadHash.ofText("payload");
    private static final PayloadHash OLD = PayloadHash.of("old", new byte[32]);
    private static final PayloadHash OLDER = PayloadHash.of("older", new byte[16]);

    private final Event event = Event.of(KEY, HASH);

    @Test
    void anEventCarriesWhatItIsGiven() {
        assertThat(event.key()).isEqualTo(KEY);
        assertThat(event.hash()).isEqualTo(HASH);
        assertThat(event.occurredAt()).isEmpty();
        assertThat(event.redelivered()).isFalse();
        assertThat(event.hashUnder("sha256")).contains(HASH);
        assertThat(event.hashUnder("old")).isEmpty();
    }

    @Test
    void changesAreCopiesAndKeepTheRest() {
        Event first = event.alsoHashedAs(OLD).occurredAt(Instant.EPOCH).redelivered(true);
        Event second = event.redelivered(true).occurredAt(Instant.EPOCH).alsoHashedAs(OLD);
        for (Event changed : new Event[] {first, second}) {
            assertThat(changed.key()).isEqualTo(KEY);
            assertThat(changed.hash()).isEqualTo(HASH);
            assertThat(changed.occurredAt()).contains(Instant.EPOCH);
            assertThat(changed.redelivered()).isTrue();
            assertThat(changed.hashUnder("old")).contains(OLD);
        }
        assertThat(first.redelivered(false).redelivered()).isFalse();
        assertThat(event.occurredAt()).isEmpty();
        assertThat(event.redelivered()).isFalse();
        assertThat(event.hashUnder("old")).isEmpty();
    }

    @Test
    void c6_hashesAddUp() {
        Event once = event.alsoHashedAs(OLD);
        Event twice = once.alsoHashedAs(OLDER);
        assertThat(twice.hashUnder("old")).contains(OLD);
        assertThat(twice.hashUnder("older")).contains(OLDER);
        assertThat(once.hashUnder("older")).isEmpty();
        assertThat(event.alsoHashedAs(OLD, OLDER).hashUnder("older")).contains(OLDER);
        assertThat(event.alsoHashedAs().hashUnder("sha256")).contains(HASH);
    }

    @Test
    void c6_twoHashesOfOneSchemeAreRefused() {
        PayloadHash otherOld = PayloadHash.of("old", new byte[16]);
        assertThatThrownBy(() -> event.alsoHashedAs(PayloadHash.ofText("other")))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("sha256")
                .hasMessageContaining(KEY.toString());
        assertThatThrownBy(() -> event.alsoHashedAs(HASH)).isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> event.alsoHashedAs(OLD, otherOld)).isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> event.alsoHashedAs(OLD).alsoHashedAs(otherOld))
                .isInstanceOf(InvalidEventException.class);
    }

    @Test
    void c6_theArrayGivenIsNotKept() {
        PayloadHash[] hashes = {OLD};
        Event changed = event.alsoHashedAs(hashes);
        hashes[0] = OLDER;
        assertThat(changed.hashUnder("old")).contains(OLD);
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> Event.of(null, HASH)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Event.of(KEY, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> event.occurredAt(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> event.alsoHashedAs(OLD, null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void e6_anEventIsShownByKeyAndHash() {
        assertThat(event).hasToString("Event[default/billing/payment-1, " + HASH + "]");
        assertThat(event.redelivered(true)).hasToString("Event[default/billing/payment-1, " + HASH + ", redelivered]");
    }
}
