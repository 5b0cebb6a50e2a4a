package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.WorkFailedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that only Oracle has, as far as they are documented. Emulated; not yet run on Oracle. */
@Tag(Tally.EMULATOR)
@Timeout(60)
class EmulatedFailureTest extends EmulatedScene {
    @ParameterizedTest
    @ValueSource(ints = {60, 4020, 2049, 63300, 63302, 8177, 1555, 1591, 3113, 3135, 17002, 17410, 28, 16000})
    void r1_ownedTransactionRunsAgain(int code) throws SQLException {
        for (String mark : new String[] {INSERT, "UPDATE account", EmulatedFaults.COMMIT}) {
            long before = cents();
            oracle.faults().plan(mark, code, false);
            assertThat(store.claimAndApply(event(), EmulatedScene::credit))
                    .as(mark)
                    .isInstanceOf(Outcome.Applied.class);
            assertThat(oracle.faults().spent()).isTrue();
            assertThat(cents()).isEqualTo(before + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"60, DEADLOCK", "2049, DEADLOCK", "63300, DEADLOCK", "8177, SERIALIZATION", "3113, CONNECTION"})
    void r1_joinedClaimGetsTheTransientErrorAtOnce(int code, Reason reason) throws SQLException {
        store.schema().validate();
        try (Connection connection = transaction()) {
            oracle.faults().plan(INSERT, code, false);
            assertThatThrownBy(() -> store.claim(connection, event()))
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(reason));
        }
    }

    @ParameterizedTest
    @CsvSource({"3113, true", "3113, false", "17002, true", "17002, false", "12571, true", "25405, true", "17800, false"
    })
    void r3_commitInDoubtIsResolved(int code, boolean happened) throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        Event event = event();
        oracle.faults().plan(EmulatedFaults.COMMIT, code, happened);
        Outcome<Integer> outcome = store.claimAndApply(event, tx -> {
            credit(tx);
            return runs.incrementAndGet();
        });
        assertThat(((Outcome.Applied<Integer>) outcome).result()).isEqualTo(happened ? 1 : 2);
        assertThat(cents()).isEqualTo(1);
    }

    @Test
    void e3_deferredConstraintFailsAtTheCommitForGood() throws SQLException {
        Event event = event();
        AtomicInteger runs = new AtomicInteger();
        oracle.faults().plan(EmulatedFaults.COMMIT, 2091, false);
        assertThatThrownBy(() -> store.claimAndApply(event, tx -> {
                    runs.incrementAndGet();
                    return credit(tx);
                }))
                .isInstanceOf(WorkFailedException.class);
        assertThat(runs).hasValue(1);
        assertThat(cents()).isZero();
        assertThat(store.find(event.key())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(EmulatedFailure.DuplicateText.class)
    void e1_duplicateIsFoundWhateverTheRelease(EmulatedFailure.DuplicateText text) {
        DedupStore other = DedupStore.builder(new EmulatedOracle(text)).build();
        other.schema().create();
        Event event = event();
        assertThat(other.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
        assertThat(other.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
    }

    @Test
    void e6_valuesThatOra00001QuotesAreNotShown() throws SQLException {
        run("CREATE UNIQUE INDEX extra ON dedup_claim (hash_scheme)");
        assertThat(store.claimAndApply(event(), tx -> null)).isInstanceOf(Outcome.Applied.class);
        Throwable caught = catchThrowable(() -> store.claimAndApply(event(), tx -> null));
        assertThat(caught).as("a key that is not the claim's").isInstanceOf(StoreConfigurationException.class);
        StringWriter printed = new StringWriter();
        caught.printStackTrace(new PrintWriter(printed));
        assertThat(printed.toString()).doesNotContain("quoted-secret");
    }

    @Test
    void w1_claimsInOppositeOrderEndInADeadlockAndNotInAHang() throws Exception {
        Event first = event();
        Event second = event();
        try (Connection one = transaction();
                Connection other = transaction()) {
            store.claim(one, first);
            store.claim(other, second);
            CompletableFuture<ClaimResult> waiter = CompletableFuture.supplyAsync(() -> store.claim(one, second));
            while (oracle.waitingClaims() == 0 && !waiter.isDone()) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> store.claim(other, first))
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.DEADLOCK));
            other.rollback();
            assertThat(waiter.get(10, TimeUnit.SECONDS)).isInstanceOf(ClaimResult.Claimed.class);
            one.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void w4_serializableTransactionThatCannotSeeTheWinner(boolean owned) throws SQLException {
        DedupStore serializable = DedupStore.builder(oracle)
                .isolation(TransactionIsolationLevel.SERIALIZABLE)
                .build();
        Event event = event();
        if (owned) {
            AtomicInteger runs = new AtomicInteger();
            Outcome<Object> outcome = serializable.claimAndApply(event(), tx -> {
                if (runs.incrementAndGet() == 1) {
                    store.claimAndApply(event, other -> null);
                }
                return serializable.claim(tx, event);
            });
            assertThat(outcome).isInstanceOf(Outcome.Applied.class);
            assertThat(((Outcome.Applied<Object>) outcome).result()).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(runs).as("runs, of which the first met a younger claim").hasValue(2);
            return;
        }
        try (Connection connection = transaction()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery("SELECT cents FROM account").next();
            }
            store.claimAndApply(event, tx -> null);
            assertThatThrownBy(() -> store.claim(connection, event))
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.SERIALIZATION));
            connection.rollback();
        }
    }

    @Test
    void w2_cancelledByOthersIsNoClaimInFlight() throws SQLException {
        store.schema().validate();
        try (Connection connection = transaction()) {
            oracle.faults().plan(INSERT, 1013, false);
            assertThatThrownBy(() -> store.claim(connection, event()))
                    .isNotInstanceOf(ClaimInFlightException.class)
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
        }
    }

    @Test
    void e1_workWhoseOwnExceptionLooksLikeTheKeysIsTheWorks() {
        Event event = event();
        Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> {
            throw EmulatedFailure.DuplicateText.ORACLE_19C.of("PUBLIC.DEDUP_CLAIM_PK", "X", "Y");
        }));
        assertThat(caught).isNotInstanceOf(DedupException.class).isInstanceOf(SQLException.class);
        assertThat(store.find(event.key())).isEmpty();
    }
}
