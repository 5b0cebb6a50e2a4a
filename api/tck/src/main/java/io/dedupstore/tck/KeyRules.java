package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.HashSchemeException;
import io.dedupstore.InvalidEventException;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** C4, C5, C6. */
abstract class KeyRules extends Rules {
    /** Texts that some database or collation takes for one another. */
    private static final List<String> ALIKE = List.of(
            "Ab",
            "aB",
            "AB",
            "ab",
            "e",
            "\u00e9",
            "e\u0301",
            "k",
            "k ",
            "k  ",
            " k",
            "k\t",
            "12",
            "0012",
            "12.0",
            "1.2e1",
            "+12",
            "0x0c",
            "ss",
            "\u00df",
            "x",
            "x\u200b",
            "x\u00ad",
            "i",
            "\u0130",
            "\u0131",
            "I",
            "\u00c5",
            "\u212b",
            "A\u030a",
            "\ud83d\ude00",
            "\ud83d\ude01",
            "\uff11",
            "1",
            "o'clock",
            "o''clock",
            "%",
            "_",
            "\\",
            "\\\\",
            "?",
            ":id",
            "null",
            "NULL",
            "\u0001",
            "\n",
            "\r\n",
            "\ufeff",
            "\ufffd");

    private static final List<String> PARTS = List.of("tenant", "consumer", "event id");

    KeyRules(BackendFixture fixture) {
        super(fixture);
    }

    @SuppressWarnings("NullAway") // null is among what must be refused
    private static EventKey with(String part, @Nullable String value) {
        String filler = "t-" + part.charAt(0);
        return switch (part) {
            case "tenant" -> new EventKey(value, filler, filler);
            case "consumer" -> new EventKey(filler, value, filler);
            default -> new EventKey(filler, filler, value);
        };
    }

    @ParameterizedTest
    @MethodSource("parts")
    void c4_keysAreEqualOnlyIfEveryCodePointIs(String part) {
        DedupStore store = kit.store();
        String run = UUID.randomUUID().toString();
        List<Event> events = new ArrayList<>();
        for (String text : ALIKE) {
            EventKey key = with(part, text);
            // the run in another part than the one under test, so that nothing is appended to the text
            events.add(kit.event(
                    part.equals("event id")
                            ? new EventKey(key.tenant(), run, key.eventId())
                            : new EventKey(key.tenant(), key.consumer(), run),
                    "payload"));
        }
        for (Event event : events) {
            assertThat(store.claimAndApply(event, kit.credit()))
                    .as(event.key().toString())
                    .isInstanceOf(Outcome.Applied.class);
        }
        for (Event event : events) {
            assertThat(store.find(event.key()).orElseThrow().key()).isEqualTo(event.key());
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        }
        assertThat(kit.credits()).isEqualTo(events.size());
    }

    static Stream<String> parts() {
        return PARTS.stream();
    }

    static Stream<Arguments> unacceptable() {
        return PARTS.stream().flatMap(part -> {
            int max = max(part);
            return Stream.of(
                    Arguments.of(part, null),
                    Arguments.of(part, ""),
                    Arguments.of(part, "x".repeat(max + 1)),
                    Arguments.of(part, "\ud83d\ude00".repeat(max + 1)),
                    Arguments.of(part, "x".repeat(max) + " "),
                    Arguments.of(part, "x".repeat(6000)),
                    Arguments.of(part, "a\u0000b"),
                    Arguments.of(part, "\u0000"),
                    Arguments.of(part, "\ud83d"),
                    Arguments.of(part, "a\ude00b"),
                    Arguments.of(part, "\ude00\ud83d"));
        });
    }

    private static int max(String part) {
        return switch (part) {
            case "tenant" -> EventKey.MAX_TENANT;
            case "consumer" -> EventKey.MAX_CONSUMER;
            default -> EventKey.MAX_EVENT_ID;
        };
    }

    @ParameterizedTest
    @MethodSource("unacceptable")
    void c5_unacceptableKeyIsRefusedBeforeAnySql(String part, @Nullable String value) {
        assertThatThrownBy(() -> with(part, value))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining(part);
    }

    @Test
    void c5_longestKeyIsAcceptedAndExact() {
        DedupStore store = kit.store();
        String run = UUID.randomUUID().toString();
        String face = "\ud83d\ude00";
        String tenant = face.repeat(EventKey.MAX_TENANT);
        String consumer = face.repeat(EventKey.MAX_CONSUMER);
        String id = run + face.repeat(EventKey.MAX_EVENT_ID - run.length() - 1);
        for (String last : List.of("x", "y", "X", " ", face)) {
            Event event = kit.event(new EventKey(tenant, consumer, id + last), "payload");
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        }
        assertThat(kit.credits()).isEqualTo(5);
    }

    @Test
    void c6_hashesOfDifferentSchemesAreNeverCompared() {
        DedupStore store = kit.store();
        PayloadHash hash = PayloadHash.ofText("payload");
        PayloadHash sameBytes = PayloadHash.of("another-scheme", hash.digest());
        EventKey key = kit.key();
        store.claimAndApply(Event.of(key, hash), kit.credit());
        for (boolean redelivered : new boolean[] {false, true}) {
            Event event = Event.of(key, sameBytes).redelivered(redelivered);
            assertThatThrownBy(() -> store.claimAndApply(event, kit.credit())).isInstanceOf(HashSchemeException.class);
        }
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c6_theHashUnderTheStoredSchemeDecides() {
        DedupStore store = kit.store();
        PayloadHash old =
                PayloadHash.of("old-scheme", PayloadHash.ofText("payload").digest());
        PayloadHash oldOfAnother =
                PayloadHash.of("old-scheme", PayloadHash.ofText("other").digest());
        PayloadHash now = PayloadHash.fields().text("amount", "12").hash();
        EventKey key = kit.key();
        store.claimAndApply(Event.of(key, old), kit.credit());
        assertThat(store.claimAndApply(Event.of(key, now).alsoHashedAs(old), kit.credit()))
                .isInstanceOf(Outcome.Duplicate.class);
        assertThatThrownBy(() -> store.claimAndApply(Event.of(key, now).alsoHashedAs(oldOfAnother), kit.credit()))
                .isInstanceOfSatisfying(
                        PayloadConflictException.class,
                        conflict -> assertThat(conflict.received()).isEqualTo(oldOfAnother));
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c6_aNewClaimStoresTheEventsOwnHash() {
        DedupStore store = kit.store();
        PayloadHash old = PayloadHash.of("old-scheme", new byte[32]);
        Event event = kit.event().alsoHashedAs(old);
        store.claimAndApply(event, kit.credit());
        assertThat(store.find(event.key()).orElseThrow().hash()).isEqualTo(event.hash());
    }

    @Test
    void c6_longestSchemeAndDigestAreStoredExactly() {
        DedupStore store = kit.store();
        byte[] digest = new byte[PayloadHash.MAX_DIGEST];
        for (int i = 0; i < digest.length; i++) {
            digest[i] = (byte) (i * 37 - 128);
        }
        PayloadHash hash = PayloadHash.of("s".repeat(PayloadHash.MAX_SCHEME), digest);
        Event event = Event.of(kit.key(), hash);
        store.claimAndApply(event, kit.credit());
        assertThat(store.find(event.key()).orElseThrow().hash()).isEqualTo(hash);
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
    }
}
