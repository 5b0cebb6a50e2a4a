package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig.JournalMode;

/** E4: with a rollback journal, a reader makes the writer's COMMIT busy. */
@Timeout(60)
class SqliteCommitWaitTest {
    @TempDir
    Path folder;

    private final Event event = Ledger.event("commit");
    private final AtomicInteger runs = new AtomicInteger();
    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("journal.db"), JournalMode.DELETE);
    }

    private DedupStore store(Duration lockWait) {
        return ledger.store(builder -> builder.lockWait(lockWait).retry(RetryPolicy.none()));
    }

    private Outcome<Long> apply(DedupStore store) {
        return store.claimAndApply(event, tx -> {
            runs.incrementAndGet();
            return Ledger.credit(tx);
        });
    }

    /** A reader that is in the midst of its rows. */
    private static final class Reader implements AutoCloseable {
        private final Connection connection;
        private final ResultSet rows;

        Reader(Ledger ledger) throws SQLException {
            connection = ledger.connection();
            connection.setAutoCommit(false);
            rows = connection
                    .createStatement()
                    .executeQuery("SELECT 1 UNION ALL SELECT count(*) FROM account UNION ALL SELECT 3");
            rows.next();
            rows.next();
        }

        @Override
        public void close() throws SQLException {
            if (!connection.isClosed()) {
                rows.close();
                connection.rollback();
                connection.close();
            }
        }
    }

    /** While a COMMIT waits for readers, SQLite lets no new reader in. */
    private void awaitWaitingCommit() throws SQLException {
        try (Connection connection =
                        ledger.source(config -> config.setBusyTimeout(0)).getConnection();
                Statement statement = connection.createStatement()) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (catchThrowable(() -> statement
                            .executeQuery("SELECT count(*) FROM account")
                            .close())
                    == null) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @Test
    void e4_theCommitWaitsForAReaderAndSucceedsWhenItEnds() throws Exception {
        try (Reader reader = new Reader(ledger)) {
            CompletableFuture<Outcome<Long>> writer = CompletableFuture.supplyAsync(
                    () -> apply(store(Duration.ofSeconds(30))), task -> new Thread(task).start());
            awaitWaitingCommit();
            assertThat(writer).isNotDone();
            reader.close();
            assertThat(writer.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
        }
        assertThat(runs).as("runs of the work").hasValue(1);
        assertThat(ledger.credits()).isEqualTo(1);
        assertThat(ledger.claims()).isEqualTo(1);
    }

    @Test
    void e4_aCommitThatWaitsToItsBoundIsRolledBackAndTransient() throws Exception {
        Duration bound = Duration.ofMillis(400);
        try (Reader reader = new Reader(ledger)) {
            Duration overshoot = Duration.ofDays(1);
            // a wrong bound is wrong every time; a busy machine is not
            for (int i = 0; i < 3 && overshoot.toMillis() > 250; i++) {
                long asked = System.nanoTime();
                Throwable caught = catchThrowable(() -> apply(store(bound)));
                overshoot = Duration.ofNanos(System.nanoTime() - asked).minus(bound);
                assertThat(caught)
                        .isInstanceOfSatisfying(
                                TransientStoreException.class,
                                failure -> assertThat(failure.reason())
                                        .isEqualTo(TransientStoreException.Reason.LOCK_TIMEOUT))
                        .hasMessageContaining("could not be committed");
            }
            assertThat(overshoot).isBetween(Duration.ofMillis(-20), Duration.ofMillis(250));
            assertThat(reader.rows.getInt(1)).isEqualTo(1);
        }
        assertThat(ledger.claims()).isZero();
        ledger.assertNothingRemains(event);
    }

    @Test
    void e4_theWholeTransactionRunsAgainWhileTheReaderStays() throws Exception {
        DedupStore store = ledger.store(builder -> builder.lockWait(Duration.ofMillis(20))
                .retry(RetryPolicy.defaults().withAttempts(50)));
        try (Reader reader = new Reader(ledger)) {
            Outcome<Long> outcome = store.<Long, SQLException>claimAndApply(event, tx -> {
                if (runs.incrementAndGet() == 3) {
                    reader.close();
                }
                return Ledger.credit(tx);
            });
            assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        }
        assertThat(runs).hasValue(3);
        assertThat(ledger.credits()).isEqualTo(1);
    }
}
