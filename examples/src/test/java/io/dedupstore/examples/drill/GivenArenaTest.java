package io.dedupstore.examples.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.examples.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The drill on somebody's own database. */
@Timeout(120)
class GivenArenaTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private String url;

    @BeforeEach
    void prepare() {
        url = "jdbc:sqlite:" + folder.resolve("given.db") + "?journal_mode=WAL&busy_timeout=50";
    }

    private void drill(DrillOptions options) throws Exception {
        assertThat(Drill.run(options, new PrintStream(out, true, StandardCharsets.UTF_8)))
                .isEmpty();
    }

    private String tables() {
        try (Handle handle = Jdbi.create(url).open()) {
            return String.join(
                    ",",
                    handle.select("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
                            .mapTo(String.class)
                            .list());
        }
    }

    @Test
    void tablesThatAreThereAreDroppedOnlyOnRequest() throws Exception {
        Jdbi.create(url).useHandle(handle -> {
            handle.execute("CREATE TABLE dedup_drill_journal (id INTEGER)");
            handle.execute("CREATE TABLE mine (id INTEGER)");
        });
        DrillOptions options = DrillOptions.of(url, 1).only("work throws");

        assertThatThrownBy(() -> drill(options))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("already has dedup_drill_journal")
                .hasMessageContaining("--reset");
        assertThat(tables()).isEqualTo("dedup_drill_journal,mine");

        drill(options.with(DrillOptions.Flag.RESET));
        assertThat(tables()).as("the drill's own are gone").isEqualTo("mine");
    }

    /** What is being committed while the drill ends has to be seen by the checker. */
    @Test
    void settlesWhenNobodyHoldsAccountsAnyMore() throws Exception {
        Jdbi.create(url).useHandle(Bank::create);
        CompletableFuture<Long> seen = new CompletableFuture<>();
        CountDownLatch settling = new CountDownLatch(1);
        try (Connection last = DriverManager.getConnection(url);
                Statement statement = last.createStatement()) {
            last.setAutoCommit(false);
            statement.execute("UPDATE " + Bank.ACCOUNT + " SET balance = 5 WHERE id = 1");
            Thread settler = new Thread(() -> {
                settling.countDown();
                seen.complete(settleAndRead());
            });
            settler.start();
            settling.await();
            assertThatThrownBy(() -> seen.get(200, TimeUnit.MILLISECONDS))
                    .as("it waits")
                    .isInstanceOf(TimeoutException.class);
            last.commit();
        }
        assertThat(seen.get(60, TimeUnit.SECONDS)).isEqualTo(5);
    }

    private long settleAndRead() {
        try {
            new GivenArena(url).settle();
        } catch (SQLException e) {
            return -1;
        }
        return Jdbi.create(url)
                .withHandle(handle -> handle.select("SELECT balance FROM " + Bank.ACCOUNT + " WHERE id = 1")
                        .mapTo(Long.class)
                        .one());
    }
}
