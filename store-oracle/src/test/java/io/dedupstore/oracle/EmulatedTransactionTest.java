package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the work and the caller do with their transaction. Emulated; not yet run on Oracle. */
@Tag(Tally.EMULATOR)
@Timeout(60)
class EmulatedTransactionTest extends EmulatedScene {
    @Test
    void a4_breakThatComesLateDoesNotStopTheRollback() throws SQLException {
        Event event = event();
        oracle.faults().plan(EmulatedFaults.ROLLBACK, 1013, false);
        assertThatThrownBy(() -> store.claimAndApply(event, tx -> {
                    credit(tx);
                    throw new IllegalStateException("the work's own");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasNoSuppressedExceptions();
        assertThat(cents()).isZero();
        assertThat(store.find(event.key())).isEmpty();
    }

    @Test
    void a4_connectionWhoseRollbackFailedIsNotClosedWithItsWork() throws SQLException {
        Event event = event();
        oracle.faults().plan(EmulatedFaults.ROLLBACK, 604, false);
        assertThatThrownBy(() -> store.claimAndApply(event, tx -> {
                    credit(tx);
                    throw new IllegalStateException("the work's own");
                }))
                .isInstanceOf(IllegalStateException.class);
        // the emulated close, and auto-commit turned on, would have committed
        assertThat(cents()).isZero();
        assertThat(store.find(event.key())).isEmpty();
    }

    @Test
    void a6_readOnlyTransactionOfTheCallerIsRefused() throws SQLException {
        Event event = event();
        store.schema().validate();
        try (Connection connection = transaction();
                Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION READ ONLY");
            assertThatThrownBy(() -> store.claim(connection, event)).isInstanceOf(StoreConfigurationException.class);
            connection.rollback();
        }
        assertThat(store.find(event.key())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE TABLE later (a NUMBER(9))", "TRUNCATE TABLE account", "BEGIN p; COMMIT; END;"})
    void a3_ddlOfTheWorkIsRefusedForItWouldCommit(String sql) throws SQLException {
        Event event = event();
        Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> {
            credit(tx);
            try {
                tx.execute(sql);
            } catch (RuntimeException swallowed) {
                return null;
            }
            return null;
        }));
        assertThat(caught).isInstanceOf(WorkFailedException.class);
        assertThat(cents()).isZero();
        assertThat(store.find(event.key())).isEmpty();
    }

    @Test
    void a3_commitOnTheDriversOwnConnectionIsNotReportedAsApplied() throws SQLException {
        Event event = event();
        Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> {
            credit(tx);
            tx.getConnection().unwrap(EmulatedConnection.class).commit();
            return null;
        }));
        // the claim is there, and so is the effect; but no transaction is
        assertThat(caught).isInstanceOf(WorkFailedException.class);
        assertThat(store.claimAndApply(event, EmulatedScene::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(cents()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void a7_isolationAndAutoCommitAreGivenBack(TransactionIsolationLevel level) throws SQLException {
        TransactionOptions options = new TransactionOptions(level, Duration.ofSeconds(1));
        try (Connection connection = oracle.getConnection()) {
            try (DedupTransaction transaction = OracleDialect.plain(TABLE).begin(connection, options)) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED)
                        .isEqualTo(level == TransactionIsolationLevel.READ_COMMITTED);
                transaction.commit();
            }
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }
}
