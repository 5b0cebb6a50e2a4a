package io.dedupstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PayloadHash#ofJson} against the vectors of RFC 8785, and what has one canonical form only. */
class PayloadHashJsonTest {
    /** The hash of a text that already is canonical. */
    private static PayloadHash canonical(String text) {
        return PayloadHash.of("sha256-jcs", PayloadHash.ofText(text).digest());
    }

    /** Sections 3.2.2 and 3.2.4; its first number is written as section 3.2.4 prints it. */
    @Test
    void theSampleOfRfc8785() {
        String json = "{\t\"numbers\": [333333333.3333333, 1E30, 4.50,\r\n  2e-3, 0.000000000000000000000000001], "
                + "  \"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\", "
                + "  \"literals\": [null, true, false]}";
        String utf8 = "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b33"
                + "33333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c2273"
                + "7472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d";
        assertThat(PayloadHash.ofJson(json))
                .isEqualTo(canonical(new String(HexFormat.of().parseHex(utf8), UTF_8)));
    }

    /** Section 3.2.3: names are sorted by UTF-16 code units. */
    @Test
    void theSortingSampleOfRfc8785() {
        String json = "{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\","
                + "\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\",\"1\":\"One\","
                + "\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\","
                + "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}";
        assertThat(PayloadHash.ofJson(json))
                .isEqualTo(canonical("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\","
                        + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"));
    }

    /** Appendix B, as its right column and in other spellings of the same value. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "0.000, 0",
        "0e5, 0",
        "5e-324, 5e-324",
        "-5E-324, -5e-324",
        "1.7976931348623157E308, 1.7976931348623157e+308",
        "-1.7976931348623157e+308, -1.7976931348623157e+308",
        "9007199254740992, 9007199254740992",
        "-9007199254740992.0, -9007199254740992",
        "29514790517935283e4, 295147905179352830000",
        "9.999999999999997e22, 9.999999999999997e+22",
        "100000000000000000000000, 1e+23",
        "1.0000000000000001E+23, 1.0000000000000001e+23",
        "9.999999999999997e20, 999999999999999700000",
        "999999999999999900000, 999999999999999900000",
        "1000000000000000000000, 1e+21",
        "0.0000009999999999999997, 9.999999999999997e-7",
        "1e-6, 0.000001",
        "333333333.3333332, 333333333.3333332",
        "333333333.33333325, 333333333.33333325",
        "333333333.3333334, 333333333.3333334",
        "333333333.33333343, 333333333.33333343",
        "-3.3333333333333333e-6, -0.0000033333333333333333",
        "1424953923781206.2, 1424953923781206.2"
    })
    void theNumbersOfRfc8785(String literal, String expected) {
        assertThat(PayloadHash.ofJson(literal)).isEqualTo(canonical(expected));
        assertThat(PayloadHash.ofJson("{\"n\": [" + literal + "]}")).isEqualTo(canonical("{\"n\":[" + expected + "]}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "1", "null", "true", "false", "[]", "{}", "\"\"", "-1.5", "[[],{}]"})
    void anyJsonValueIsOneAlsoAtTheTop(String json) {
        assertThat(PayloadHash.ofJson(json)).isEqualTo(canonical(json));
        assertThat(PayloadHash.ofJson(" \t\r\n" + json + "\n")).isEqualTo(canonical(json));
    }

    @Test
    void c3_orderOfMembersAndWhiteSpaceDoNotMatter() {
        String json = "{\"a\":1,\"b\":{\"x\":[1,2],\"y\":\"z\"}}";
        String same = "{ \"b\" : { \"y\":\"\\u007a\", \"x\":[1.0,\n2e0] },\t\"\\u0061\":1 }";
        assertThat(PayloadHash.ofJson(same)).isEqualTo(PayloadHash.ofJson(json)).isEqualTo(canonical(json));
        // B37: for the raw payload they are two
        assertThat(PayloadHash.ofText(same)).isNotEqualTo(PayloadHash.ofText(json));
        assertThat(PayloadHash.ofJson(json)).isNotEqualTo(PayloadHash.ofText(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":2}",
                "{\"a\":\"1\"}",
                "{\"a\":1.5}",
                "{\"a\":-1}",
                "{\"a\":[1]}",
                "{\"a\":null}",
                "{\"a\":true}",
                "{\"A\":1}",
                "{\"a \":1}",
                "{\"a\":1,\"b\":null}",
                "{}",
                "[1]",
                "1"
            })
    void c3_valuesMatter(String other) {
        assertThat(PayloadHash.ofJson(other)).isNotEqualTo(PayloadHash.ofJson("{\"a\":1}"));
    }

    @Test
    void c3_orderOfElementsMatters() {
        assertThat(PayloadHash.ofJson("[1,2]")).isNotEqualTo(PayloadHash.ofJson("[2,1]"));
    }

    @Test
    void c4_textsAreNotNormalised() {
        assertThat(PayloadHash.ofJson("\"\u00e9\"")).isNotEqualTo(PayloadHash.ofJson("\"e\u0301\""));
        assertThat(PayloadHash.ofJson("{\"\u00e9\":1,\"e\u0301\":2}"))
                .isEqualTo(canonical("{\"e\u0301\":2,\"\u00e9\":1}"));
    }

    @Test
    void deepButReasonableNestingIsHashed() {
        String json = "[".repeat(200) + "]".repeat(200);
        assertThat(PayloadHash.ofJson(json)).isEqualTo(canonical(json));
    }

    @Test
    void aTextOfSeveralMegabytesIsHashed() {
        String json = "[\"" + "\u00e9x".repeat(1_000_000) + "\"]";
        assertThat(PayloadHash.ofJson(json)).isEqualTo(canonical(json));
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> PayloadHash.ofJson(null)).isInstanceOf(NullPointerException.class);
    }
}
