package io.dedupstore.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is let through and what is named as malformed. */
class DeliveryFileTest {
    private static final String GOOD =
            "{\"case\":\"c\",\"event\":\"e\",\"account\":\"a\",\"amount\":1,\"then\":\"ack\"}";

    @TempDir
    Path folder;

    @Test
    void readsWhatIsWellFormed() throws Exception {
        List<Delivery> read = read(GOOD + "\r\n\n" + GOOD.replace("}", ",\"withClaim\":7}"));

        assertThat(read).extracting(Delivery::line).containsExactly(1, 3);
        assertThat(read).extracting(Delivery::attempt).containsExactly(1, 2);
        assertThat(read.get(1).balances()).containsOnlyKeys(Mode.WITH_CLAIM).containsEntry(Mode.WITH_CLAIM, 7L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "marker",
                "{\"case\":\"marker\"",
                "[1]",
                "{}",
                GOOD + GOOD,
                GOOD + "marker",
                "{\"amount\":5,\"amount\":1}",
                "{\"marker\":5}",
            })
    void namesALineThatIsNoDelivery(String line) {
        assertMalformed(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-1", "2.5", "1.0", "1e3", "1000000001", "99999999999999999999", "\"1\"", "null", "[]"})
    void namesAnAmountThatIsNoWholePositiveNumberInBounds(String amount) {
        assertMalformed(GOOD.replace(":1,", ":" + amount + ","));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"event\":\"e\"", "\"account\":\"a\"", "\"then\":\"ack\"", "\"case\":\"c\""})
    void namesAMissingOrUnfitText(String member) {
        String name = member.substring(0, member.indexOf(':'));
        assertMalformed(GOOD.replace(member + ",", "").replace("," + member, ""));
        for (String unfit : List.of("null", "1", "\"\"", "\"\\u0000\"", "\"" + "x".repeat(300) + "\"")) {
            assertMalformed(GOOD.replace(member, name + ":" + unfit));
        }
    }

    @Test
    void namesEachMalformedLine() {
        assertThatThrownBy(() -> read("x\n" + GOOD + "\n\ny"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("line 1:", "line 4:")
                .message()
                .doesNotContain("line 2:", "line 3:");
    }

    @Test
    void namesALineThatIsNoUtf8() throws IOException {
        Path file = Files.write(
                folder.resolve("f"),
                (GOOD + "\n" + GOOD.replace("\"e\"", "\"\u00e9\"")).getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> DeliveryFile.read(file)).hasMessageContaining("line 2: it is not UTF-8");
    }

    @Test
    void refusesAnEmptyAndAMissingFile() {
        assertThatThrownBy(() -> read("\n \n")).hasMessageContaining("no delivery");
        assertThatThrownBy(() -> DeliveryFile.read(folder.resolve("missing"))).hasMessageContaining("cannot be read");
    }

    @Test
    void keepsCasesApart() {
        assertThatThrownBy(
                        () -> read(GOOD + "\n" + GOOD.replace("\"c\"", "\"d\"").replace("\"e\"", "\"f\"")))
                .hasMessageContaining("line 2: its account belongs to another case");
        assertThatThrownBy(() -> read(GOOD + "\n" + GOOD.replace("\"a\"", "\"b\"")))
                .hasMessageContaining("line 2: its case had another account");
        assertThatThrownBy(
                        () -> read(GOOD + "\n" + GOOD.replace("\"c\"", "\"d\"").replace("\"a\"", "\"b\"")))
                .hasMessageContaining("line 2: its event belongs to another case");
    }

    @Test
    void wantsASecondDeliveryAfterAnOutrunOne() throws Exception {
        String outrun = GOOD.replace("ack", "outrun");

        assertThat(read(outrun + "\n" + GOOD)).hasSize(2);
        assertThatThrownBy(() -> read(outrun)).hasMessageContaining("line 1: after \"outrun\"");
        assertThatThrownBy(() -> read(outrun + "\n" + outrun + "\n" + GOOD)).hasMessageContaining("line 1:");
        assertThatThrownBy(() -> read(outrun + "\n" + GOOD.replace(":1,", ":2,")))
                .hasMessageContaining("line 1:");
    }

    private void assertMalformed(String line) {
        assertThatThrownBy(() -> read(GOOD + "\n" + line))
                .as(line)
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("line 2: ")
                .message()
                .doesNotContain("line 1: ", "marker", "xxx");
    }

    private List<Delivery> read(String text) throws Exception {
        return DeliveryFile.read(Files.writeString(folder.resolve("deliveries.jsonl"), text));
    }
}
