package io.dedupstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link PayloadHash#ofJson} refuses: two such payloads could differ and have one hash. */
class PayloadHashJsonRefusalTest {
    private static final String SECRET = "4929-secret";

    private static InvalidEventException refusal(String json) {
        Throwable caught = catchThrowable(() -> PayloadHash.ofJson(json));
        assertThat(caught).isInstanceOf(InvalidEventException.class);
        return (InvalidEventException) caught;
    }

    private static void assertRefusedWithAPosition(String json) {
        assertThat(refusal(json)).hasMessageContaining("line ").hasMessageContaining("column ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "-9007199254740993",
                "18014398509481985",
                "1e400",
                "-1e400",
                "1e-400",
                "4e-324",
                "0.1234567890123456789",
                "333333333.33333329",
                "3.141592653589793238462643383279",
                "100000000000000000000001"
            })
    void aNumberThatADoubleWouldChangeIsRefused(String number) {
        assertRefusedWithAPosition(number);
        assertRefusedWithAPosition("[1," + number + "]");
        assertRefusedWithAPosition("{\"a\":{\"b\":" + number + "}}");
        assertThat(refusal("[" + number + "]")).hasMessageNotContaining(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":1}",
                "{\"x\":{\"a\":1,\"b\":2,\"a\":3}}",
                "[{\"a\":1},{\"b\":[{\"c\":1,\"\\u0063\":2}]}]",
                "{\"\":1,\"\":2}"
            })
    void aNameThatComesTwiceIsRefused(String json) {
        assertRefusedWithAPosition(json);
    }

    static Stream<String> loneSurrogates() {
        return Stream.of("\ud83d", "\ude00", "\ude00\ud83d", "\\ud83d", "\\uDE00", "\\ude00\\ud83d", "\\ud83dx\\ude00")
                .flatMap(half -> Stream.of("\"" + half + "\"", "[\"a" + half + "b\"]", "{\"" + half + "\":1}"));
    }

    @ParameterizedTest
    @MethodSource("loneSurrogates")
    void halfASurrogatePairIsRefused(String json) {
        assertRefusedWithAPosition(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 2",
                "{} {}",
                "{}x",
                "{}]",
                "1,2",
                "null null",
                "[1],",
                "{\"a\":1}}",
                "\"a\" \"b\"",
                "1],[2",
                "1]",
                "[1]\u0000"
            })
    void whatFollowsTheValueIsRefused(String json) {
        assertRefusedWithAPosition(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{", "[", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"a", "tru", "-", "1e"})
    void aValueCutShortIsRefused(String json) {
        assertRefusedWithAPosition(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t\r ", "\u00a0", "\u0000"})
    void nothingIsRefused(String json) {
        refusal(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "[NaN]",
                "Infinity",
                "-Infinity",
                "-INF",
                "// c\n1",
                "/* c */ 1",
                "[1, /* c */ 2]",
                "# c\n1",
                "'a'",
                "{'a':1}",
                "{a:1}",
                "[1,]",
                "{\"a\":1,}",
                "[,1]",
                "[1,,2]",
                "01",
                "+1",
                ".5",
                "5.",
                "0x10",
                "1_000",
                "True",
                "undefined",
                "\"\t\"",
                "\"a\nb\"",
                "\"\\x41\"",
                "\"\\u12\"",
                "[1 2]",
                "{\"a\" 1}",
                "{1:2}",
                "[}",
                "{]",
                "]",
                "}"
            })
    void whatOnlySomeParsersTakeForJsonIsRefused(String json) {
        assertRefusedWithAPosition(json);
    }

    @Test
    void aByteOrderMarkIsRefused() {
        refusal("\ufeff{}");
        refusal("\ufeff1");
    }

    @Test
    void tenThousandLevelsAreRefusedAndNotAStackOverflow() {
        assertRefusedWithAPosition("[".repeat(10_000) + "]".repeat(10_000));
        assertRefusedWithAPosition("{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000));
        assertRefusedWithAPosition("[".repeat(1_000_000));
    }

    /** A thousand digits would be dear as a BigDecimal if there were a million of them. */
    @ParameterizedTest
    @ValueSource(strings = {"", "0.", "-", "1e-"})
    void aVeryLongNumberIsRefusedQuickly(String prefix) {
        String number = prefix + "7".repeat(1_000_000);
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertRefusedWithAPosition(number));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"card\":\"4929-secret\" \"}",
                "{\"4929-secret\":1,\"4929-secret\":2}",
                "{\"card\":\"4929-secret\",\"n\":9007199254740993}",
                "{\"card\":\"4929-secret\\ud83d\"}",
                "{\"card\":4929-secret}",
                "\"4929-secret\" \"4929-secret\"",
                "{\"card\":\"4929-secret",
                "\"\\u4929-secret",
                "4929-secret"
            })
    void e6_theRefusalDoesNotShowThePayload(String json) {
        StringWriter printed = new StringWriter();
        refusal(json).printStackTrace(new PrintWriter(printed));
        assertThat(printed.toString()).doesNotContain(SECRET).doesNotContain("4929");
    }

    @Test
    void thePositionIsThatOfTheFault() {
        assertThat(refusal("{\"a\": 1,\n \"b\": 1e400}")).hasMessageContaining("line 2, column 7");
        assertThat(refusal("{}\n\n  x")).hasMessageContaining("line 3, column ");
    }
}
