package io.dedupstore.examples.cmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.qcloud.cmq.CMQServerException;
import com.qcloud.cmq.Queue;
import com.qcloud.cmq.QueueMeta;
import io.dedupstore.examples.credit.Ledger;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example as a person runs it. */
@Timeout(180)
class CmqExampleTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private TestQueues theirs;

    @BeforeEach
    void startTheirBroker() {
        theirs = TestQueues.start();
    }

    @AfterEach
    void endTheirBroker() {
        theirs.close();
    }

    private int example(Map<String, String> environment, String... args) {
        return CmqExample.run(
                args,
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int onTheirs() {
        return example(key(), "--broker", theirs.standIn().address(), "--db", database());
    }

    private Map<String, String> key() {
        return Map.of(
                "CMQ_SECRET_ID",
                theirs.standIn().secretId(),
                "CMQ_SECRET_KEY",
                theirs.standIn().secretKey());
    }

    private String database() {
        return "jdbc:sqlite:" + folder.resolve("theirs.db");
    }

    private List<String> tables() {
        return Jdbi.create(database())
                .withHandle(handle -> handle.select("SELECT name FROM sqlite_master WHERE type = 'table'")
                        .mapTo(String.class)
                        .list());
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void showsWhatBecomesOfEveryMessage() {
        assertThat(example(Map.of())).as(() -> out() + err()).isZero();

        assertThat(out())
                .contains("a wire stand-in made from CMQ's documentation, not the service")
                .containsPattern("payment-1 .* applied +1 +12500 +0 +ok")
                .containsPattern("payment-2 .* applied, duplicate +1 +12500 +0 +ok")
                .containsPattern("payment-3 .* failed, applied +1 +12500 +0 +ok")
                .containsPattern("payment-4 .* applied, duplicate +1 +12500 +0 +ok")
                .containsPattern("payment-5 .* applied, conflict +1 +12500 +1 +ok")
                .containsPattern("payment-6 .* nothing +0 +10000 +1 +ok")
                .containsPattern("stored +sha256-fields:")
                .containsPattern("received +sha256-fields:")
                .contains("All as expected.")
                .doesNotContain("9900");
        assertThat(out().lines())
                .allMatch(line -> line.length() <= 100 && line.chars().allMatch(c -> c < 128));
    }

    @Test
    void leavesAGivenBrokerAndDatabaseAsTheyWere() {
        Jdbi.create(database()).useHandle(handle -> handle.execute("CREATE TABLE account (id INTEGER)"));

        assertThat(onTheirs()).as(() -> out() + err()).isZero();

        assertThat(out()).contains("Broker:   the one of --broker").doesNotContain("stand-in");
        assertThat(out() + err()).doesNotContain(theirs.standIn().secretKey());
        assertThat(tables()).containsExactly("account");
        assertThatThrownBy(
                        () -> theirs.account().getQueue(ExampleQueues.CREDITS).receiveMessage())
                .isInstanceOf(CMQServerException.class)
                .hasMessageContaining("10100");
    }

    @Test
    void usesQueuesThatAreThereAndLeavesThem() throws Exception {
        List<String> names = List.of(
                ExampleQueues.CREDITS, Queues.quarantine(ExampleQueues.CREDITS), Queues.dead(ExampleQueues.CREDITS));
        for (String name : names) {
            QueueMeta meta = new QueueMeta();
            meta.visibilityTimeout = (int) ExampleQueues.VISIBILITY.toSeconds();
            theirs.account().createQueue(name, meta);
        }

        assertThat(onTheirs()).as(() -> out() + err()).isZero();

        assertThat(names).allMatch(name -> TestQueues.all(theirs.account().getQueue(name)) == 0);
    }

    @Test
    void refusesAQueueThatIsNotEmpty() throws Exception {
        Queue queue = theirs.create(ExampleQueues.CREDITS, 0);
        queue.send("theirs");

        assertThat(onTheirs()).isEqualTo(2);

        assertThat(err()).contains(ExampleQueues.CREDITS, "not empty");
        assertThat(TestQueues.all(queue)).isEqualTo(1);
        assertThat(tables()).isEmpty();
    }

    @Test
    void refusesADatabaseThatHasTablesOfItsNames() {
        Jdbi.create(database()).useHandle(handle -> handle.execute("CREATE TABLE " + Ledger.TABLE + " (id INTEGER)"));

        assertThat(onTheirs()).isEqualTo(2);

        assertThat(err()).contains(Ledger.TABLE);
        assertThat(tables()).containsExactly(Ledger.TABLE);
    }

    @Test
    void namesTheVariablesThatItMisses() {
        assertThat(example(Map.of(), "--broker", theirs.standIn().address())).isEqualTo(2);

        assertThat(err()).contains("CMQ_SECRET_ID", "CMQ_SECRET_KEY");
    }

    @Test
    void saysThatTheKeyIsWrongAndNotWhichItWas() {
        Map<String, String> wrong = Map.of("CMQ_SECRET_ID", theirs.standIn().secretId(), "CMQ_SECRET_KEY", "hidden");

        assertThat(example(wrong, "--broker", theirs.standIn().address())).isEqualTo(2);

        assertThat(err()).contains("4100").doesNotContain("hidden");
    }

    @Test
    void saysThatTheBrokerCannotBeReached() {
        theirs.standIn().kill();

        assertThat(onTheirs()).isEqualTo(2);

        assertThat(err()).contains("cannot be used");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:80", "ftp://host", "http://u:hidden@host", "http://host/hidden", "http://h h/hidden"})
    void refusesWhatIsNoEndpoint(String endpoint) {
        assertThat(example(key(), "--broker", endpoint)).isEqualTo(2);

        assertThat(err()).contains("--broker").doesNotContain("hidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite::memory:", "jdbc:sqlite:file:x?mode=memory", "jdbc:nosuchdb:hidden"})
    void refusesADatabaseThatItCannotUse(String url) {
        assertThat(example(Map.of(), "--db", url)).isEqualTo(2);

        assertThat(err()).contains("--db").doesNotContain("hidden");
    }

    @Test
    void helps() {
        assertThat(example(Map.of(), "--help")).isZero();

        assertThat(out())
                .contains("--broker", "--db", "CMQ_SECRET_ID", "CMQ_SECRET_KEY", "Exit code", ExampleQueues.CREDITS);
        assertThat(out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(err()).isEmpty();
    }

    @Test
    void refusesAnUnknownOption() {
        assertThat(example(Map.of(), "--nonsense")).isEqualTo(2);

        assertThat(err()).contains("Argument 1", "--help");
    }
}
