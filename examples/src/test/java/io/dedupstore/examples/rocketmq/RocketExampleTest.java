package io.dedupstore.examples.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.examples.TableNames;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocketExampleTest {
    private static final int WIDTH = 100;
    private static final String URL_WITH_PASSWORD = "jdbc:mysql://127.0.0.1:1/x?user=u&password=secret-4711";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return RocketExample.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private int runOnOurs() {
        return run("--broker", Ground.nameServer(), "--db", Ground.url(Duration.ofSeconds(5)));
    }

    @Test
    void helpIsCompleteAndFits() {
        assertThat(run("--help")).isEqualTo(RocketExample.AS_EXPECTED);

        assertThat(out()).contains("--broker HOST:PORT", "--db JDBC-URL", "--help", "Exit code");
        assertThat(out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nonsense", "--broker", "--db"})
    void aBadOptionIsNotStarted(String option) {
        assertThat(run(option)).isEqualTo(RocketExample.NOT_STARTED);

        assertThat(err()).contains("--help");
    }

    @Test
    void aBrokerThatIsNotThereIsNotStarted() {
        assertThat(run("--broker", "127.0.0.1:1")).isEqualTo(RocketExample.NOT_STARTED);

        assertThat(err()).contains("--broker");
    }

    @Test
    void aDatabaseThatIsNotThereIsNotStartedAndNotQuoted() {
        assertThat(run("--broker", Ground.nameServer(), "--db", URL_WITH_PASSWORD))
                .isEqualTo(RocketExample.NOT_STARTED);

        assertThat(err()).isNotBlank().doesNotContain("4711");
    }

    /** The four cases: credits 1, 1, 2, 1. */
    @Test
    void aUsersBrokerAndDatabaseAreLeftAsTheyWere() throws Exception {
        assertThat(runOnOurs()).as(out() + err()).isEqualTo(RocketExample.AS_EXPECTED);

        assertThat(Pattern.compile("(?m)^ +(\\d) e-\\d .* (?:yes|no) +\\d+ +(\\d) +(\\d+) +\\d  ok$")
                        .matcher(out())
                        .results()
                        .map(RocketExampleTest::row))
                .containsExactly(
                        "1: 1, 12500",
                        "2: 1, 12500",
                        "3: 2, 15000",
                        "4: 1, 12500",
                        "5: 1, 12500",
                        "6: 1, 12500",
                        "7: 0, 10000");
        assertThat(out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
        try (Connection connection = DriverManager.getConnection(Ground.url(Duration.ofSeconds(5)));
                Topics topics = new Topics(Ground.nameServer())) {
            assertThat(TableNames.beginningWith(connection, "dedup_example_")).isEmpty();
            assertThat(topics.exists(RocketExample.CREDITS)).isFalse();
            assertThat(topics.exists(RocketExample.QUARANTINE)).isFalse();
        }
    }

    private static String row(MatchResult found) {
        return found.group(1) + ": " + found.group(2) + ", " + found.group(3);
    }

    @Test
    void topicsThatAreThereAlreadyAreNotTouched() throws Exception {
        try (Topics topics = new Topics(Ground.nameServer())) {
            topics.create(RocketExample.QUARANTINE);
            try {
                assertThat(runOnOurs()).isEqualTo(RocketExample.NOT_STARTED);

                assertThat(err()).contains(RocketExample.QUARANTINE);
                assertThat(topics.exists(RocketExample.QUARANTINE)).isTrue();
            } finally {
                topics.delete(RocketExample.QUARANTINE, QuarantineReader.GROUP);
            }
        }
    }

    @Test
    void itsOwnBrokerAndDatabaseDoAsWell() {
        Ground.database(); // reported if it cannot run here

        assertThat(run()).as(out() + err()).isEqualTo(RocketExample.AS_EXPECTED);
    }
}
