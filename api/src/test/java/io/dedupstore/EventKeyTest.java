package io.dedupstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the contract kit does not test on every database. */
class EventKeyTest {
    @Test
    void aKeyThatNamesNoTenantHasTheDefaultOne() {
        EventKey key = EventKey.of("billing", "payment-1");
        assertThat(key).isEqualTo(new EventKey("default", "billing", "payment-1"));
        assertThat(EventKey.of("t", "billing", "payment-1")).isNotEqualTo(key).hasToString("t/billing/payment-1");
        assertThat(key).hasToString("default/billing/payment-1");
    }

    @ParameterizedTest
    @CsvSource({"a\ud83d, 1", "\ude00, 0", "ab\ude00c, 2", "\ud83d\ude00\ud83d, 2", "\ud83d\ud83d\ude00, 0"})
    void c5_theRefusalNamesTheIndexOfHalfASurrogatePair(String id, int index) {
        assertThatThrownBy(() -> EventKey.of("c", id))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("event id")
                .hasMessageContaining("index " + index + ";");
    }

    @Test
    void c5_theRefusalNamesTheIndexOfANulAndTheLength() {
        assertThatThrownBy(() -> EventKey.of("c", "\ud83d\ude00ab\u0000")).hasMessageContaining("index 4;");
        assertThatThrownBy(() -> EventKey.of("c", "x".repeat(300)))
                .hasMessageContaining("300 code points")
                .hasMessageContaining("255");
        assertThatThrownBy(() -> EventKey.of("\ud83d\ude00".repeat(129), "x")).hasMessageContaining("129 code points");
    }

    @Test
    void c5_theFirstBadPartIsNamed() {
        assertThatThrownBy(() -> new EventKey("", "", "")).hasMessageContaining("tenant");
        assertThatThrownBy(() -> new EventKey("t", "", "")).hasMessageContaining("consumer");
        assertThatThrownBy(() -> new EventKey(null, "c", "e")).hasMessageContaining("tenant is null");
    }

    @Test
    void e6_theRefusedValueIsNotShown() {
        assertThatThrownBy(() -> EventKey.of("c", "secret\u0000")).hasMessageNotContaining("secret");
        assertThatThrownBy(() -> EventKey.of("c", "secret".repeat(50))).hasMessageNotContaining("secret");
    }

    @Test
    void e6_controlCharactersAreEscapedWhenAKeyIsShown() {
        EventKey key = new EventKey("t\r", "c\u2028", "e\n\u0085\u001b[0m\u2029");
        assertThat(key).hasToString("t\\u000d/c\\u2028/e\\u000a\\u0085\\u001b[0m\\u2029");
        assertThat(key.eventId()).isEqualTo("e\n\u0085\u001b[0m\u2029");
    }

    @Test
    void c4_nothingIsTrimmedOrFolded() {
        assertThat(EventKey.of("c", " E ").eventId()).isEqualTo(" E ");
        assertThat(EventKey.of("c", "e")).isNotEqualTo(EventKey.of("c", "E"));
        assertThat(EventKey.of("c", " ")).isNotEqualTo(EventKey.of("c", "  "));
    }
}
