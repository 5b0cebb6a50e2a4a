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
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConnection;

/** SQLITE_INTERRUPT of a write rolls the whole transaction back (F2); another run may not meet it. */
@Timeout(60)
class SqliteInterruptTest {
    /** Writes nothing until it has counted for hours. */
    private static final String ENDLESS = "UPDATE account SET cents = (WITH RECURSIVE n (i) AS"
            + " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) SELECT count(*) FROM n)";

    @TempDir
    Path folder;

    private final Event event = Ledger.event("interrupted");
    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("interrupt.db"));
    }

    interface Cancel {
        void run() throws SQLException;
    }

    /** Runs the endless statement on this thread while another one cancels it until it has ended. */
    private static void runInterrupted(Handle tx, boolean byStatement) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Statement statement = tx.getConnection().createStatement()) {
            Connection driver = tx.getConnection().unwrap(SQLiteConnection.class);
            Cancel cancel = byStatement ? statement::cancel : ((SQLiteConnection) driver).getDatabase()::interrupt;
            Thread canceller = new Thread(() -> cancelUntil(over, cancel), "canceller");
            canceller.start();
            Throwable swallowed = catchThrowable(() -> statement.executeUpdate(ENDLESS));
            over.countDown();
            canceller.join();
            assertThat(swallowed)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getErrorCode()).isEqualTo(9));
        }
    }

    private static void cancelUntil(CountDownLatch over, Cancel cancel) {
        try {
            while (!over.await(2, TimeUnit.MILLISECONDS)) {
                cancel.run();
            }
        } catch (SQLException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void assertRunAgain(boolean byStatement) throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        DedupStore store =
                ledger.store(builder -> builder.retry(RetryPolicy.defaults().withAttempts(2)));
        Outcome<Long> outcome = catchOutcome(store, byStatement, runs);
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(runs).hasValue(2);
        assertThat(ledger.number("SELECT cents FROM account")).isEqualTo(Ledger.CREDIT);
        assertThat(ledger.claims()).isEqualTo(1);
    }

    private Outcome<Long> catchOutcome(DedupStore store, boolean byStatement, AtomicInteger runs) {
        try {
            return store.claimAndApply(event, tx -> {
                if (runs.incrementAndGet() == 1) {
                    runInterrupted(tx, byStatement);
                    assertThat(catchThrowable(() -> Ledger.credit(tx)))
                            .as("a statement after the rollback")
                            .isNotNull();
                    return 0L;
                }
                return Ledger.credit(tx);
            });
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a3_swallowedInterruptOfAWriteRunsTheTransactionAgain() throws SQLException {
        assertRunAgain(false);
    }

    @Test
    void a3_swallowedCancelOfAWriteRunsTheTransactionAgain() throws SQLException {
        assertRunAgain(true);
    }

    @Test
    void a3_swallowedInterruptIsRefusedWhereNothingIsRunAgain() throws SQLException {
        DedupStore store = ledger.store(builder -> builder.retry(RetryPolicy.none()));
        Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> {
            runInterrupted(tx, false);
            return null;
        }));
        assertThat(caught)
                .isInstanceOfSatisfying(
                        TransientStoreException.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(TransientStoreException.Reason.TIMEOUT));
        ledger.assertNothingRemains(event);
    }
}
