package io.dedupstore.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo as a person runs it, with its real consumer processes. */
class DemoTest {
    private static final String GOOD_LINE =
            "{\"case\":\"once\",\"event\":\"e-1\",\"account\":\"a\",\"amount\":2500,\"then\":\"ack\"";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @Test
    void showsEveryCaseOfTheBuiltInFile() {
        assertThat(demo()).as(err()).isEqualTo(0);

        assertBuiltInFile();
        assertThat(out().lines())
                .allMatch(line -> line.length() <= 100 && line.chars().allMatch(c -> c < 128));
        assertThat(databaseFolder()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"postgres,PostgreSQL 18", "mysql,MySQL 8.0.12"})
    void showsTheSameOnAServerOfItsOwn(String name, String product) {
        assertThat(demo("--db", name)).as(err()).isEqualTo(0);

        assertBuiltInFile();
        assertThat(out()).contains("Database: " + product);
    }

    @Test
    void cannotKeepAServerOfItsOwn() {
        assertThat(demo("--db", "postgres", "--keep")).isEqualTo(2);

        assertThat(err()).contains("--keep").contains("URL");
    }

    private void assertBuiltInFile() {
        assertRow("rolled back before commit, redelivered", 1, 12500, 1, 12500);
        assertRow("committed, redelivered", 2, 15000, 1, 12500);
        assertRow("killed before commit, redelivered", 1, 12500, 1, 12500);
        assertRow("killed after commit, redelivered", 2, 15000, 1, 12500);
        assertRow("two at once, visibility window outrun", 2, 15000, 1, 12500);
        assertRow("same id, another amount", 2, 22400, 1, 12500);
        assertThat(out())
                .contains("All 26 deliveries were as expected.")
                .containsPattern("payment-2 +2 +2500 +ack +applied +ACK +15000 +ok")
                .containsPattern("payment-2 +2 +2500 +ack +duplicate +ACK +12500 +ok")
                .containsPattern("payment-3 +1 +2500 +die before commit +killed +none +10000 +ok")
                .containsPattern("payment-4 +1 +2500 +die after commit +killed +none +12500 +ok")
                .containsPattern("payment-5 +2 +2500 +ack +in flight +RETRY +10000 +ok")
                .containsPattern("payment-6 +2 +9900 +ack +conflict +QUARANTINE +12500 +ok");
        assertThat(err()).isEmpty();
    }

    @Test
    void endsWithOneIfALineIsNotAsExpected() throws IOException {
        Path file = file(GOOD_LINE + ",\"withClaim\":12501,\"withoutClaim\":12500}");

        assertThat(demo("--file", file.toString())).isEqualTo(1);

        assertThat(out())
                .containsPattern("e-1 +1 +2500 +ack +applied +ACK +12500 +NO\n +line 1 expects +applied +ACK +12501")
                .containsPattern("once +without +1 +12500 +12500 +ok\n +with +1 +12500 +12501 +NO")
                .contains("1 of 2 deliveries were NOT as expected.");
    }

    @Test
    void appliesNothingOfAFileWithAMalformedLine() throws IOException {
        Path file = file(GOOD_LINE + "}", "", GOOD_LINE + ",\"secret\":4711}");
        Path database = folder.resolve("demo.db");

        assertThat(demo("--file", file.toString(), "--db", "jdbc:sqlite:" + database))
                .isEqualTo(2);

        assertThat(err())
                .contains("line 3: ")
                .contains("Nothing was applied.")
                .doesNotContain("secret", "4711", "line 1");
        assertThat(out()).isEmpty();
        assertThat(database).doesNotExist();
    }

    @Test
    void leavesAGivenDatabaseAsItWas() throws IOException {
        Jdbi jdbi = Jdbi.create("jdbc:sqlite:" + folder.resolve("theirs.db"));
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE account (id INTEGER)"));
        String[] args = {
            "--file", file(GOOD_LINE + "}").toString(), "--db", "jdbc:sqlite:" + folder.resolve("theirs.db")
        };

        assertThat(demo(args)).as(err()).isEqualTo(0);

        assertThat(tables(jdbi)).containsExactly("account");
    }

    @Test
    void refusesADatabaseThatHasTablesOfItsNames() throws IOException {
        Jdbi jdbi = Jdbi.create("jdbc:sqlite:" + folder.resolve("theirs.db"));
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE " + DemoConsumer.CLAIM_TABLE + " (id INTEGER)"));

        assertThat(demo("--db", "jdbc:sqlite:" + folder.resolve("theirs.db"))).isEqualTo(2);

        assertThat(err()).contains(DemoConsumer.CLAIM_TABLE).contains("Nothing was applied.");
        assertThat(tables(jdbi)).containsExactly(DemoConsumer.CLAIM_TABLE);
    }

    @Test
    void keepsItsTablesIfAskedTo() throws IOException {
        String url = "jdbc:sqlite:" + folder.resolve("kept.db");

        assertThat(demo("--keep", "--file", file(GOOD_LINE + "}").toString(), "--db", url))
                .as(err())
                .isEqualTo(0);

        assertThat(out()).contains("Kept: tables dedup_demo_* in " + folder.resolve("kept.db"));
        assertThat(tables(Jdbi.create(url))).contains(Accounts.TABLE, DemoConsumer.CLAIM_TABLE);
    }

    @Test
    void namesTheDatabaseItDoesNotKnowButNoSecret() {
        assertThat(demo("--db", "jdbc:nosuchdb://user:hidden@host/db?password=hidden"))
                .isEqualTo(2);

        assertThat(err()).contains("jdbc:nosuchdb:").doesNotContain("hidden");
    }

    @Test
    void carriesOraclesDriverAndSaysThatNoOracleIsThere() {
        assertThat(demo("--db", "jdbc:oracle:thin:user/hidden@//127.0.0.1:1/none"))
                .isEqualTo(2);
        assertThat(err()).contains("could not be asked").doesNotContain("hidden");
    }

    @Test
    void refusesADatabaseInMemory() {
        assertThat(demo("--db", "jdbc:sqlite::memory:")).isEqualTo(2);

        assertThat(err()).contains("memory");
    }

    @Test
    void helps() {
        assertThat(demo("--help")).isEqualTo(0);

        assertThat(out())
                .contains("--file", "--db", "--keep")
                .contains(Then.words().split(", "));
        assertThat(err()).isEmpty();
    }

    @Test
    void refusesAnUnknownOption() {
        assertThat(demo("--dbjdbc:x://user:hidden@host")).isEqualTo(2);

        assertThat(err()).contains("Argument 1", "Usage").doesNotContain("hidden");
    }

    @Test
    void refusesAnOptionWithoutItsValue() {
        assertThat(demo("--file", "--keep")).isEqualTo(2);

        assertThat(err()).contains("--file", "Usage");
    }

    private int demo(String... args) {
        return Demo.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private void assertRow(String title, int creditsWithout, int balanceWithout, int creditsWith, int balanceWith) {
        assertThat(out())
                .containsPattern("(?m)^ +" + title + " +without +" + creditsWithout + " +" + balanceWithout + " +"
                        + balanceWithout + " +ok\\R +with +" + creditsWith + " +" + balanceWith + " +" + balanceWith
                        + " +ok$");
    }

    private Path databaseFolder() {
        Matcher database = Pattern.compile("Database: SQLite [^,]+, (.+)").matcher(out());
        assertThat(database.find()).isTrue();
        return Path.of(database.group(1)).getParent();
    }

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("deliveries.jsonl"), List.of(lines));
    }

    private static List<String> tables(Jdbi jdbi) {
        return jdbi.withHandle(handle -> handle.select("SELECT name FROM sqlite_master WHERE type = 'table'")
                .mapTo(String.class)
                .list());
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
