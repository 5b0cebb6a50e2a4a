package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import io.dedupstore.WorkFailedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A3: whatever the work does to its transaction, no claim without its effect, no effect without its claim. */
abstract class BrokenTransactionRules extends Rules {
    BrokenTransactionRules(BackendFixture fixture) {
        super(fixture);
    }

    /** Ways of ending a transaction that is not one's own. */
    static Stream<Named<HandleConsumer<Exception>>> endings() {
        Map<String, HandleConsumer<Exception>> ways = new LinkedHashMap<>();
        ways.put("handle.commit()", Handle::commit);
        ways.put("handle.rollback()", Handle::rollback);
        ways.put("handle.close()", Handle::close);
        ways.put("connection.commit()", tx -> tx.getConnection().commit());
        ways.put("connection.rollback()", tx -> tx.getConnection().rollback());
        ways.put("connection.setAutoCommit(true)", tx -> tx.getConnection().setAutoCommit(true));
        ways.put("connection.close()", tx -> tx.getConnection().close());
        ways.put("execute COMMIT", tx -> tx.execute("COMMIT"));
        ways.put("execute commented COMMIT", tx -> tx.execute("/* done */ -- really\n commit"));
        ways.put("execute ROLLBACK", tx -> tx.execute("ROLLBACK"));
        ways.put("execute BEGIN", tx -> tx.execute("BEGIN"));
        ways.put("a statement's connection", BrokenTransactionRules::commitThroughStatement);
        ways.put(
                "the metadata's connection",
                tx -> tx.getConnection().getMetaData().getConnection().commit());
        return ways.entrySet().stream().map(way -> Named.of(way.getKey(), way.getValue()));
    }

    private static void commitThroughStatement(Handle tx) throws SQLException {
        try (Statement statement = tx.getConnection().createStatement()) {
            statement.execute("COMMIT");
        } catch (SQLException e) {
            tx.getConnection().createStatement().getConnection().commit();
        }
    }

    @ParameterizedTest
    @MethodSource("endings")
    void a3_workThatEndsTheTransactionItselfIsRolledBack(HandleConsumer<Exception> ending) {
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> kit.store().claimAndApply(event, tx -> {
            kit.creditNow(tx);
            ending.useHandle(tx);
            return null;
        }));
        assertThat(caught).as("what claimAndApply threw").isNotNull();
        kit.assertNothingRemains(event, 0);
    }

    @ParameterizedTest
    @MethodSource("endings")
    void a3_workThatEndsTheTransactionAndSwallowsTheRefusalIsRolledBack(HandleConsumer<Exception> ending) {
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> kit.store().claimAndApply(event, tx -> {
            kit.creditNow(tx);
            swallow(() -> ending.useHandle(tx));
            swallow(() -> kit.creditNow(tx));
            return null;
        }));
        assertThat(caught)
                .isInstanceOfSatisfying(
                        WorkFailedException.class,
                        failure -> assertThat(failure.disposition()).isEqualTo(Disposition.RETRY));
        kit.assertNothingRemains(event, 0);
    }

    interface Step {
        void run() throws Exception;
    }

    /** What the work must not do, and does. */
    private static void swallow(Step step) {
        try {
            step.run();
        } catch (Exception swallowed) {
            // as work in the field does: what the store makes of it is what is tested
        }
    }

    private static void duplicateOrder(Handle tx, String order, String account) {
        tx.execute("INSERT INTO kit_order (order_no, account_id, cents) VALUES (?, ?, 1)", order, account);
    }

    private void swallowUniqueViolation(Handle tx, String order) {
        duplicateOrder(tx, order, kit.account());
        try {
            duplicateOrder(tx, order, kit.account());
            throw new AssertionError("The second order of one number was stored");
        } catch (JdbiException expected) {
            // the field's bug: swallow, and go on
        }
    }

    @Test
    void a3_handledErrorIsKeptOnlyIfTheTransactionIsWhole() {
        DedupStore store = kit.store();
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> {
            kit.creditNow(tx);
            swallowUniqueViolation(tx, event.key().eventId());
            return null;
        }));
        if (kit.has(Capability.STATEMENT_ROLLBACK)) {
            assertThat(caught).isNull();
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
            assertThat(kit.credits()).isEqualTo(1);
        } else {
            assertThat(caught).isInstanceOf(DedupException.class);
            kit.assertNothingRemains(event, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a3_errorUndoneBySavepointIsHandledOnPurpose(boolean unwrapped) throws SQLException {
        DedupStore store = kit.store();
        Event event = kit.event();
        Outcome<Long> outcome = store.<Long, SQLException>claimAndApply(event, tx -> {
            if (unwrapped) {
                assertThat(unguarded(tx.getConnection())).isNotNull();
            }
            tx.savepoint("before_order");
            swallowUniqueViolation(tx, event.key().eventId());
            tx.rollbackToSavepoint("before_order");
            return kit.credit().withHandle(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.credits()).isEqualTo(1);
        long orders = kit.outside()
                .withHandle(h -> h.select("SELECT count(*) FROM kit_order WHERE account_id = ?", kit.account())
                        .mapTo(Long.class)
                        .one());
        assertThat(orders).isZero();
    }

    /** A lock timeout may undo one statement only: what the work left out must not be committed without. */
    @Test
    void a3_lockTimeoutThatTheWorkSwallowsIsNeverCommitted() {
        DedupStore store = kit.store(builder -> builder.retry(RetryPolicy.none()));
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> {
            kit.outside().useTransaction(other -> {
                kit.creditNow(other); // holds the row; in vain where this transaction is the only writer
                tx.execute(kit.fixture().shortLockWait());
                swallow(() -> kit.creditNow(tx));
                other.rollback();
            });
            return null;
        }));
        if (kit.has(Capability.CONCURRENT_WRITERS)) {
            assertThat(caught).isInstanceOf(TransientStoreException.class);
        } else {
            assertThat(caught).as("the other writer").isInstanceOf(JdbiException.class);
        }
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void a3_rollbackOnTheDriversOwnConnectionIsNotReportedAsApplied() {
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> kit.store().claimAndApply(event, tx -> {
            kit.creditNow(tx);
            try (Statement statement = unguarded(tx.getConnection()).createStatement()) {
                statement.execute("ROLLBACK");
            }
            return null;
        }));
        assertThat(caught).isInstanceOf(DedupException.class);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void a3_transactionReplacedOnTheDriversOwnConnectionIsNotReportedAsApplied() {
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> kit.store().claimAndApply(event, tx -> {
            try (Statement statement = unguarded(tx.getConnection()).createStatement()) {
                statement.execute("ROLLBACK");
                if (!kit.fixture().begin().isEmpty()) {
                    statement.execute(kit.fixture().begin());
                }
            }
            kit.creditNow(tx);
            return null;
        }));
        assertThat(caught).isInstanceOf(DedupException.class);
        kit.assertNothingRemains(event, 0);
    }

    /** The driver's own class, which no wrapper implements. */
    private Connection unguarded(Connection connection) throws SQLException {
        return kit.fixture().driverConnection(connection);
    }

    @Test
    void a3_nestedJdbiTransactionsOfTheWorkJoin() {
        Event event = kit.event();
        Outcome<Long> outcome = kit.store().claimAndApply(event, tx -> tx.inTransaction(kit.credit()));
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void a3_unwrappingTheConnectionIsNoFault() throws SQLException {
        Event event = kit.event();
        Outcome<Long> outcome = kit.store().<Long, SQLException>claimAndApply(event, tx -> {
            assertThat(unguarded(tx.getConnection())).isNotNull();
            return kit.credit().withHandle(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(1);
    }
}
