package io.dedupstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class HashedFieldsTest {
    private static PayloadHash hash(UnaryOperator<HashedFields> fields) {
        return fields.apply(PayloadHash.fields()).hash();
    }

    @Test
    void theFormatIsFixedForeverSinceClaimsAreStoredUnderIt() {
        // type 1, name's length, name, value's length, value; then type 2
        byte[] bytes = {1, 0, 0, 0, 1, 'a', 0, 0, 0, 2, 'x', 'y', 2, 0, 0, 0, 1, 'n', 0, 0, 0, 2, '-', '7'};
        PayloadHash expected =
                PayloadHash.of("sha256-fields", PayloadHash.ofBytes(bytes).digest());
        assertThat(hash(f -> f.text("a", "xy").number("n", -7))).isEqualTo(expected);
    }

    @Test
    void sameFieldsGiveTheSameHash() {
        UnaryOperator<HashedFields> fields = f -> f.text("t", "\u00e9")
                .number("n", Long.MIN_VALUE)
                .decimal("d", new BigDecimal("1.10"))
                .bool("b", true)
                .bytes("raw", new byte[] {0, -1})
                .time("at", Instant.parse("2026-10-25T01:30:00.000000001Z"));
        assertThat(hash(fields)).isEqualTo(hash(fields));
        assertThat(hash(fields).scheme()).isEqualTo("sha256-fields");
    }

    @Test
    void noTwoDifferentListsOfFieldsCollide() {
        List<PayloadHash> all = new ArrayList<>();
        all.add(hash(f -> f.text("a", "ab").text("b", "c")));
        all.add(hash(f -> f.text("a", "a").text("b", "bc")));
        all.add(hash(f -> f.text("a", "abc").text("b", "")));
        all.add(hash(f -> f.text("a", "abc").text("b", null)));
        all.add(hash(f -> f.text("a", "abc")));
        all.add(hash(f -> f.text("aa", "bc")));
        all.add(hash(f -> f.text("b", "c").text("a", "ab")));
        all.add(hash(f -> f.text("a", "")));
        all.add(hash(f -> f.text("a", null)));
        all.add(hash(f -> f.text("a", "null")));
        all.add(hash(f -> f.text("", "a")));
        all.add(hash(f -> f.text("a", "1")));
        all.add(hash(f -> f.number("a", 1)));
        all.add(hash(f -> f.decimal("a", BigDecimal.ONE)));
        all.add(hash(f -> f.bool("a", true)));
        all.add(hash(f -> f.bool("a", false)));
        all.add(hash(f -> f.bytes("a", new byte[] {'1'})));
        all.add(hash(f -> f.bytes("a", new byte[] {1})));
        all.add(hash(f -> f.bytes("a", new byte[0])));
        all.add(hash(f -> f.number("a", 0)));
        all.add(hash(f -> f.time("a", Instant.EPOCH)));
        all.add(hash(f -> f.time("a", Instant.EPOCH.plusNanos(1))));
        all.add(hash(f -> f.time("a", Instant.EPOCH.plusNanos(10))));
        all.add(hash(f -> f.text("a", "0.0")));
        all.add(hash(f -> f.text("a", "1e0")));
        all.add(hash(f -> f.text("a", "1").text("b", "1")));
        all.add(hash(f -> f.text("a", "1").number("b", 1)));
        assertThat(all).doesNotHaveDuplicates();
    }

    @Test
    void aMissingValueIsMissingWhateverItsType() {
        PayloadHash missing = hash(f -> f.text("a", null));
        assertThat(hash(f -> f.decimal("a", null))).isEqualTo(missing);
        assertThat(hash(f -> f.bytes("a", null))).isEqualTo(missing);
        assertThat(hash(f -> f.time("a", null))).isEqualTo(missing);
    }

    @Test
    void decimalsAreHashedByTheirValue() {
        PayloadHash expected = hash(f -> f.decimal("a", new BigDecimal("2.5")));
        for (String same : List.of("2.50", "2.500000", "25e-1", "0.25E1")) {
            assertThat(hash(f -> f.decimal("a", new BigDecimal(same)))).as(same).isEqualTo(expected);
        }
        for (String other : List.of("2.51", "25", "-2.5", "2.5e1")) {
            assertThat(hash(f -> f.decimal("a", new BigDecimal(other))))
                    .as(other)
                    .isNotEqualTo(expected);
        }
        PayloadHash zero = hash(f -> f.decimal("a", BigDecimal.ZERO));
        for (String same : List.of("0.00", "0e5", "-0", "0e-7")) {
            assertThat(hash(f -> f.decimal("a", new BigDecimal(same)))).as(same).isEqualTo(zero);
        }
        assertThat(hash(f -> f.decimal("a", new BigDecimal("100"))))
                .isEqualTo(hash(f -> f.decimal("a", new BigDecimal("1e2"))));
    }

    @Test
    void aDecimalOfAHugeScaleIsQuick() {
        BigDecimal huge = new BigDecimal("1e999999999");
        BigDecimal tiny = new BigDecimal(BigInteger.TEN, Integer.MAX_VALUE);
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            assertThat(hash(f -> f.decimal("a", huge))).isNotEqualTo(hash(f -> f.decimal("a", tiny)));
            assertThat(hash(f -> f.decimal("a", new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE))))
                    .isNotNull();
        });
    }

    @Test
    void aNameThatComesTwiceIsRefused() {
        HashedFields fields = PayloadHash.fields().text("a", "1");
        assertThatThrownBy(() -> fields.number("a", 1))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("number 2")
                .hasMessageNotContaining("\"a\"");
        assertThat(fields.hash()).as("the refused field is not in it").isEqualTo(hash(f -> f.text("a", "1")));
    }

    @Test
    void noFieldAtAllIsRefused() {
        assertThatThrownBy(() -> PayloadHash.fields().hash()).isInstanceOf(InvalidEventException.class);
    }

    @Test
    void c5_halfASurrogatePairIsRefusedAndNotShown() {
        assertThatThrownBy(() -> PayloadHash.fields().text("a", "secret\ud83d"))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("index 6;")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> PayloadHash.fields().text("\ude00", "x")).isInstanceOf(InvalidEventException.class);
    }

    @Test
    void nullNameIsRefused() {
        assertThatThrownBy(() -> PayloadHash.fields().text(null, "x")).isInstanceOf(NullPointerException.class);
    }

    @Test
    void fieldsCanBeAddedAfterAHashWasTaken() {
        HashedFields fields = PayloadHash.fields().text("a", "1");
        PayloadHash first = fields.hash();
        assertThat(fields.hash()).isEqualTo(first);
        assertThat(fields.text("b", "2").hash())
                .isEqualTo(hash(f -> f.text("a", "1").text("b", "2")));
    }
}
