package io.dedupstore.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.dedupstore.examples.credit.Ledger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example as a person runs it. */
@Timeout(120)
class RabbitExampleTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int example(String... args) {
        return RabbitExample.run(
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

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("theirs.db") + "?journal_mode=WAL";
    }

    @Test
    void showsWhatCameOfEachMessage() {
        RabbitBrokers.start().close(); // reports or fails if there is none

        assertThat(example()).as(this::err).isZero();

        assertTable();
        assertThat(out()).contains("RabbitMQ 3").contains("PostgreSQL").contains("its own");
    }

    private void assertTable() {
        assertThat(out())
                .containsPattern("payment-1 .* applied +1 +12500 +0 +ok")
                .containsPattern("payment-2 .* applied, duplicate +1 +12500 +0 +ok")
                .containsPattern("payment-3 .* applied, duplicate +1 +12500 +0 +ok")
                .containsPattern("payment-4 .* applied, conflict +1 +12500 +1 +ok")
                .containsPattern("payment-5 .* nothing +0 +10000 +1 +ok")
                .containsPattern("stored   sha256-fields:[0-9a-f]{64}\\R  received sha256-fields:[0-9a-f]{64}\\R")
                .contains("Messages not acknowledged: 0.")
                .contains("All as expected.")
                .doesNotContain("9900");
        assertThat(out().lines())
                .allMatch(line -> line.length() <= 100 && line.chars().allMatch(c -> c < 128));
    }

    @Test
    void leavesAGivenBrokerAndDatabaseAsTheyWere() throws Exception {
        Jdbi.create(url()).useHandle(handle -> handle.execute("CREATE TABLE account (id INTEGER)"));

        assertThat(example("--broker", RabbitBrokers.uri(), "--db", url()))
                .as(this::err)
                .isZero();

        assertTable();
        assertThat(tables()).containsExactly("account");
        assertThat(exists(RabbitExample.QUEUES.name())).isFalse();
    }

    @Test
    void refusesADatabaseThatHasTablesOfItsNames() throws Exception {
        Jdbi.create(url()).useHandle(handle -> handle.execute("CREATE TABLE " + Ledger.TABLE + " (id INTEGER)"));

        assertThat(example("--broker", RabbitBrokers.uri(), "--db", url())).isEqualTo(2);

        assertThat(err()).contains(Ledger.TABLE);
        assertThat(tables()).containsExactly(Ledger.TABLE);
        assertThat(out()).isEmpty();
    }

    @Test
    void refusesABrokerThatHasQueuesOfItsNames() throws Exception {
        String queue = RabbitExample.QUEUES.dead();
        onBroker(channel -> channel.queueDeclare(queue, true, false, false, null));
        try {
            assertThat(example("--broker", RabbitBrokers.uri(), "--db", url())).isEqualTo(2);

            assertThat(err()).contains(queue);
            assertThat(exists(queue)).isTrue();
        } finally {
            onBroker(channel -> channel.queueDelete(queue));
        }
    }

    @Test
    void saysThatNoBrokerIsThereAndShowsNoPassword() {
        assertThat(example("--broker", "amqp://user:hidden@127.0.0.1:1", "--db", url()))
                .isEqualTo(2);

        assertThat(err()).contains("--broker").doesNotContain("hidden");
    }

    @Test
    void refusesABrokerThatIsNoUri() {
        assertThat(example("--broker", "user:hidden@nowhere", "--db", url())).isEqualTo(2);

        assertThat(err()).contains("--broker", "amqp://").doesNotContain("hidden");
    }

    @Test
    void refusesADatabaseThatIsNone() {
        assertThat(example("--broker", RabbitBrokers.uri(), "--db", "jdbc:nosuchdb://user:hidden@host"))
                .isEqualTo(2);

        assertThat(err()).contains("--db").doesNotContain("hidden");
    }

    @Test
    void helps() {
        assertThat(example("--help")).isZero();

        assertThat(out()).contains("--broker", "--db", "--help", "Exit code");
        assertThat(out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(err()).isEmpty();
    }

    @Test
    void refusesAnUnknownOption() {
        assertThat(example("--brokeramqp://user:hidden@host")).isEqualTo(2);

        assertThat(err()).contains("Argument 1", "--help").doesNotContain("hidden");
    }

    @Test
    void refusesAnOptionWithoutItsValue() {
        assertThat(example("--broker", "--db")).isEqualTo(2);

        assertThat(err()).contains("--broker", "--help");
    }

    private interface Use<T> {
        T of(Channel channel) throws Exception;
    }

    private static <T> T onBroker(Use<T> use) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(RabbitBrokers.uri());
        try (Connection connection = factory.newConnection()) {
            return use.of(connection.createChannel());
        }
    }

    private static boolean exists(String queue) throws Exception {
        return onBroker(channel -> {
            try {
                channel.queueDeclarePassive(queue);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private List<String> tables() {
        return Jdbi.create(url())
                .withHandle(handle -> handle.select("SELECT name FROM sqlite_master WHERE type = 'table'")
                        .mapTo(String.class)
                        .list());
    }
}
