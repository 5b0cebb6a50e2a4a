package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.spi.FailureKind;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A1, A2, A4, A5. */
abstract class AtomicityRules extends Rules {
    AtomicityRules(BackendFixture fixture) {
        super(fixture);
    }

    static Stream<Throwable> thrownByWork() {
        return Stream.of(
                new IOException("checked"),
                new IllegalStateException("unchecked"),
                new SQLException("the work's own", "S1000", 4711),
                new StackOverflowError("an Error"),
                new AssertionError("another"));
    }

    @ParameterizedTest
    @MethodSource("thrownByWork")
    void a1_workThatThrowsLeavesNothingAndItsCallerGetsThatObject(Throwable thrown) {
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> kit.store().claimAndApply(event, tx -> {
            kit.creditNow(tx);
            throw unchecked(thrown);
        }));
        assertThat(caught).isSameAs(thrown);
        kit.assertNothingRemains(event, 0);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void a1_failedRollbackIsSuppressedByTheWorksException() {
        FaultyDialect dialect = kit.faulty().fail(FaultyDialect.Point.ROLLBACK_REPLY, FailureKind.CONNECTION);
        IllegalStateException thrown = new IllegalStateException("the work's own");
        Event event = kit.event();
        Throwable caught =
                catchThrowable(() -> kit.store(dialect, builder -> {}).claimAndApply(event, tx -> {
                    kit.creditNow(tx);
                    throw thrown;
                }));
        assertThat(caught).isSameAs(thrown);
        assertThat(caught.getSuppressed()).hasSize(1);
        assertThat(caught.getSuppressed()[0]).isInstanceOf(SQLException.class);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void a1_callbacksOfTheHandleFollowTheTransaction() {
        List<String> calls = new ArrayList<>();
        Event event = kit.event();
        assertThatThrownBy(() -> kit.store().claimAndApply(event, tx -> {
                    listen(tx, calls);
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(calls).containsExactly("rolled back");
        calls.clear();
        kit.store().claimAndApply(event, tx -> listen(tx, calls));
        assertThat(calls).containsExactly("committed");
    }

    private static boolean listen(Handle tx, List<String> calls) {
        tx.afterCommit(() -> calls.add("committed"));
        tx.afterRollback(() -> calls.add("rolled back"));
        return true;
    }

    @Test
    void a2_appliedIsReportedOnlyAfterTheCommitSucceeded() {
        FaultyDialect dialect = kit.faulty().fail(FaultyDialect.Point.COMMIT_REQUEST, FailureKind.SERIALIZATION);
        Event event = kit.event();
        Throwable caught =
                catchThrowable(() -> kit.store(dialect, builder -> builder.retry(io.dedupstore.RetryPolicy.none()))
                        .claimAndApply(event, kit.credit()));
        assertThat(caught).isInstanceOf(TransientStoreException.class);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void a2_nothingIsVisibleToOthersWhileTheWorkRuns() {
        Event event = kit.event();
        AtomicReference<Object> seen = new AtomicReference<>();
        kit.store().claimAndApply(event, tx -> {
            kit.creditNow(tx);
            seen.set(kit.store().find(event.key()).isPresent() + " " + kit.credits());
            return null;
        });
        assertThat(seen).hasValue("false 0");
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void a4_statementsThatTheWorkLeavesOpenAreClosed() throws SQLException {
        AtomicReference<Statement> left = new AtomicReference<>();
        kit.store().claimAndApply(kit.event(), tx -> {
            Statement statement = tx.getConnection().createStatement();
            left.set(statement);
            return statement.executeQuery("SELECT cents FROM kit_account").next();
        });
        assertThat(Objects.requireNonNull(left.get()).isClosed()).isTrue();
    }

    @Test
    void a4_connectionIsGivenBackWithNothingOpen() throws Exception {
        try (OneConnection pool = new OneConnection(kit.connection())) {
            DedupStore store = kit.store(pool);
            boolean autoCommit = pool.physical().getAutoCommit();
            Event event = kit.event();
            Event failing = kit.event();
            store.claimAndApply(event, kit.credit());
            pool.requireAtRest(kit, autoCommit);
            store.claimAndApply(event, kit.credit());
            pool.requireAtRest(kit, autoCommit);
            store.claimAndApply(event.redelivered(true), kit.credit());
            pool.requireAtRest(kit, autoCommit);
            assertThatThrownBy(() -> store.claimAndApply(kit.altered(event), kit.credit()))
                    .isInstanceOf(PayloadConflictException.class);
            pool.requireAtRest(kit, autoCommit);
            assertThatThrownBy(() -> store.claimAndApply(failing, creditAndFail()))
                    .isInstanceOf(IllegalStateException.class);
            pool.requireAtRest(kit, autoCommit);
            store.find(event.key());
            pool.requireAtRest(kit, autoCommit);
            store.schema().validate();
            pool.requireAtRest(kit, autoCommit);
            kit.assertNothingRemains(failing, 1);
        }
    }

    private HandleCallback<Long, RuntimeException> creditAndFail() {
        return tx -> {
            kit.creditNow(tx);
            throw new IllegalStateException();
        };
    }

    @Test
    void a4_poolWithAutoCommitOffIsServedToo() throws Exception {
        try (OneConnection pool = new OneConnection(kit.transaction())) {
            DedupStore store = kit.store(pool);
            Event event = kit.event();
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
            pool.requireAtRest(kit, false);
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
            pool.requireAtRest(kit, false);
            assertThat(store.claimAndApply(event.redelivered(true), kit.credit()))
                    .isInstanceOf(Outcome.Duplicate.class);
            pool.requireAtRest(kit, false);
            Event failing = kit.event().redelivered(true);
            assertThatThrownBy(() -> store.claimAndApply(failing, creditAndFail()))
                    .isInstanceOf(IllegalStateException.class);
            pool.requireAtRest(kit, false);
            kit.assertNothingRemains(failing, 1);
        }
    }

    @Test
    void a5_ownedTransactionsRunAtReadCommitted() {
        Event event = kit.event();
        AtomicReference<TransactionIsolationLevel> level = new AtomicReference<>();
        kit.store().claimAndApply(event, tx -> {
            level.set(tx.getTransactionIsolationLevel());
            return null;
        });
        assertThat(level)
                .hasValue(
                        kit.has(Capability.READ_COMMITTED)
                                ? TransactionIsolationLevel.READ_COMMITTED
                                : TransactionIsolationLevel.SERIALIZABLE);
    }

    @Test
    void a5_workThatReadsFirstCanStillWriteAfterOthersDid() throws Exception {
        Event event = kit.event();
        Outcome<Long> outcome = kit.store().claimAndApply(event, tx -> {
            tx.select("SELECT cents FROM kit_account WHERE id = ?", kit.account())
                    .mapTo(Long.class)
                    .one();
            if (kit.has(Capability.CONCURRENT_WRITERS)) {
                kit.outside()
                        .useHandle(h -> h.execute(
                                "INSERT INTO kit_account (id, cents) VALUES (?, 0)",
                                "other-" + event.key().eventId()));
            }
            return kit.credit().withHandle(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void a7_ownedTransactionLeavesTheConnectionsSettings() throws Exception {
        try (OneConnection pool = new OneConnection(kit.connection())) {
            DedupStore store = kit.store(pool);
            Connection physical = pool.physical();
            int isolation = physical.getTransactionIsolation();
            store.claimAndApply(kit.event(), kit.credit());
            assertThat(physical.getTransactionIsolation()).isEqualTo(isolation);
            assertThat(physical.getAutoCommit()).isTrue();
        }
    }
}
