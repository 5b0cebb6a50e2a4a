package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupException;
import io.dedupstore.Event;
import io.dedupstore.WorkFailedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A3 where SQLite rolls the whole transaction back by itself: statements that follow would be committed alone (F2). */
@Timeout(60)
class SqliteBrokenTransactionTest {
    private static final String CONFLICT = "INSERT OR ROLLBACK INTO account VALUES ('a', 7)";
    private static final String LATER = "UPDATE account SET cents = cents + 1 WHERE id = 'a'";

    @TempDir
    Path folder;

    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("broken.db"));
    }

    /** A step of the work that must fail, and whose failure the work hides. */
    interface Step {
        void run() throws Exception;
    }

    private static void swallow(Step step) {
        Throwable swallowed = catchThrowable(step::run);
        assertThat(swallowed).as("what the work swallows").isInstanceOf(Exception.class);
    }

    private void assertRefused(HandleConsumer<Exception> work) throws SQLException {
        Event event = Ledger.event("broken");
        Throwable caught = catchThrowable(() -> ledger.store().claimAndApply(event, tx -> {
            Ledger.credit(tx);
            work.useHandle(tx);
            return null;
        }));
        assertThat(caught).isInstanceOf(WorkFailedException.class).hasMessageContaining("code 19");
        StringWriter printed = new StringWriter();
        caught.printStackTrace(new PrintWriter(printed));
        assertThat(printed.toString()).doesNotContain("account.id").doesNotContain("no debts");
        ledger.assertNothingRemains(event);
    }

    @Test
    void a3_swallowedRollbackOnAHandle() throws SQLException {
        assertRefused(tx -> {
            swallow(() -> tx.execute(CONFLICT));
            swallow(() -> tx.execute(LATER));
        });
    }

    @Test
    void a3_swallowedRollbackOnTheHandlesConnection() throws SQLException {
        assertRefused(tx -> {
            try (Statement statement = tx.getConnection().createStatement()) {
                swallow(() -> statement.executeUpdate(CONFLICT));
                swallow(() -> statement.executeUpdate(LATER));
            }
            swallow(() -> tx.getConnection().createStatement());
        });
    }

    @Test
    void a3_swallowedRollbackOfAStatementThatWasPreparedBefore() throws SQLException {
        assertRefused(tx -> {
            Connection connection = tx.getConnection();
            try (PreparedStatement later = connection.prepareStatement(LATER);
                    PreparedStatement conflict = connection.prepareStatement(CONFLICT)) {
                later.executeUpdate();
                swallow(conflict::executeUpdate);
                swallow(later::executeUpdate);
                swallow(later::execute);
                swallow(later::executeBatch);
            }
        });
    }

    @Test
    void a3_swallowedRollbackWithinABatch() throws SQLException {
        assertRefused(tx -> {
            try (Statement statement = tx.getConnection().createStatement()) {
                statement.addBatch(LATER);
                statement.addBatch(CONFLICT);
                statement.addBatch(LATER);
                swallow(statement::executeBatch);
            }
            swallow(() -> tx.execute(LATER));
        });
    }

    @Test
    void a3_swallowedRollbackWithinAPreparedBatch() throws SQLException {
        assertRefused(tx -> {
            swallow(() -> batch(tx));
            swallow(() -> tx.execute(LATER));
        });
    }

    private static void batch(Handle tx) {
        PreparedBatch batch = tx.prepareBatch("INSERT OR ROLLBACK INTO account VALUES (?, 7)");
        batch.add("b").add("a").add("c").execute();
    }

    @Test
    void a3_swallowedRollbackWithinANestedTransactionOfTheWork() throws SQLException {
        assertRefused(tx -> {
            swallow(() -> tx.useTransaction(nested -> nested.execute(CONFLICT)));
            swallow(() -> tx.execute(LATER));
        });
    }

    @Test
    void a3_savepointsAreGoneWithTheTransaction() throws SQLException {
        assertRefused(tx -> {
            tx.savepoint("s");
            swallow(() -> tx.execute(CONFLICT));
            swallow(() -> tx.rollbackToSavepoint("s"));
            swallow(() -> tx.execute(LATER));
        });
    }

    @Test
    void a3_swallowedRollbackByATrigger() throws SQLException {
        ledger.execute("CREATE TRIGGER debts BEFORE UPDATE ON account WHEN NEW.cents < 0"
                + " BEGIN SELECT RAISE(ROLLBACK, 'no debts'); END");
        assertRefused(tx -> {
            swallow(() -> tx.execute("UPDATE account SET cents = -1"));
            swallow(() -> tx.execute(LATER));
        });
    }

    @Test
    void a3_nothingAfterTheRollbackIsEvenSent() throws SQLException {
        Event event = Ledger.event("sent");
        Throwable caught = catchThrowable(() -> ledger.store().claimAndApply(event, tx -> {
            swallow(() -> tx.execute(CONFLICT));
            swallow(() -> tx.execute(LATER));
            assertThat(ledger.number("SELECT cents FROM account"))
                    .as("cents that others see")
                    .isZero();
            return null;
        }));
        assertThat(caught).isInstanceOf(WorkFailedException.class);
    }

    @Test
    void e2_rollbackThatIsLetThroughIsTheWorksException() throws SQLException {
        Event event = Ledger.event("through");
        Throwable caught = catchThrowable(() -> ledger.store().claimAndApply(event, tx -> tx.execute(CONFLICT)));
        assertThat(caught).isNotInstanceOf(DedupException.class).hasRootCauseInstanceOf(SQLException.class);
        ledger.assertNothingRemains(event);
    }

    @Test
    void a3_conflictThatUndoesItsStatementOnlyMayBeHandled() throws SQLException {
        Event event = Ledger.event("handled");
        for (String policy : new String[] {"ABORT", "FAIL"}) {
            ledger.store().claimAndApply(Ledger.event(policy), tx -> {
                swallow(() -> tx.execute("INSERT OR " + policy + " INTO account VALUES ('a', 7)"));
                return Ledger.credit(tx);
            });
        }
        assertThat(ledger.credits()).isEqualTo(2);
        assertThat(ledger.claims()).isEqualTo(2);
        ledger.assertNothingRemains(event, 2);
    }
}
