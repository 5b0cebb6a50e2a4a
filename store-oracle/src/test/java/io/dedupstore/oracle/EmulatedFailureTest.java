package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.TableName;
import io.dedupstore.spi.TransactionOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only Oracle does, as far as it is documented. Emulated; not yet run on Oracle. */
@Tag(Tally.EMULATOR)
@Timeout(60)
class EmulatedFailureTest {
    private static final TableName TABLE = TableName.of("dedup_claim");
    private static final String INSERT = "INSERT INTO \"DEDUP_CLAIM\"";

    private final EmulatedOracle oracle = new EmulatedOracle(EmulatedFailure.DuplicateText.ORACLE_23AI);
    private DedupStore store;

    @BeforeEach
    void prepare() throws SQLException {
        EmulatedStatement.know(new OracleSql(TABLE));
        store = DedupStore.builder(oracle).build();
        store.schema().create();
        run("CREATE TABLE account (id VARCHAR2(9) PRIMARY KEY, cents NUMBER(18))");
        run("INSERT INTO account VALUES ('a', 0)");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = oracle.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = oracle.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private long cents() throws SQLException {
        return number("SELECT cents FROM account");
    }

    private static Event event() {
        return Event.of(EventKey.of("billing", "event-" + UUID.randomUUID()), PayloadHash.ofText("payload"));
    }

    private static Object credit(Handle tx) {
        return tx.execute("UPDATE account SET cents = cents + 1");
    }

    private Connection transaction() throws SQLException {
        Connection connection = oracle.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 4020, 2049, 63300, 63302, 8177, 1555, 1591, 3113, 3135, 17002, 17410, 28, 16000})
    void r1_ownedTransactionRunsAgain(int code) throws SQLException {
        for (String mark : new String[] {INSERT, "UPDATE account", EmulatedFaults.COMMIT}) {
            long before = cents();
            oracle.faults().plan(mark, code, false);
            assertThat(store.claimAndApply(event(), EmulatedFailureTest::credit))
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
        assertThat(store.claimAndApply(event, EmulatedFailureTest::credit)).isInstanceOf(Outcome.Duplicate.class);
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

    @Test
    void s3_ownerIsConfigurable() throws SQLException {
        run("CREATE SCHEMA shop");
        EmulatedStatement.know(new OracleSql(TableName.of("shop.order")));
        DedupStore shop = DedupStore.builder(oracle).table("shop.order").build();
        Event event = event();
        assertThatThrownBy(() -> shop.claimAndApply(event, tx -> null))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("SHOP");
        shop.schema().create();
        assertThat(shop.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
        assertThat(shop.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(store.find(event.key())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"all_triggers, ENABLED, trigger", "all_policies, YES, policy"})
    void s2_whatStandsInBetween(String view, String state, String said) throws SQLException {
        run("INSERT INTO " + view + " VALUES ('PUBLIC', 'DEDUP_CLAIM', '" + state + "')");
        assertThatThrownBy(() -> store.schema().validate())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining(said);
    }

    @Test
    void e5_missingGrantOnDbmsLockSaysWhatToRun() throws SQLException {
        run("DELETE FROM all_procedures");
        DedupStore locking = DedupStore.builder(oracle)
                .dialect(OracleDialectProvider.withDbmsLock(TABLE))
                .build();
        assertThatThrownBy(() -> locking.claimAndApply(event(), tx -> null))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("GRANT EXECUTE ON SYS.DBMS_LOCK");
    }

    @Test
    void w2_storeWithTheLockWaitsForOneWithout() throws Exception {
        DedupStore locking = DedupStore.builder(oracle)
                .dialect(OracleDialectProvider.withDbmsLock(TABLE))
                .lockWait(Duration.ofSeconds(1))
                .build();
        Event event = event();
        try (Connection holder = transaction()) {
            store.claim(holder, event);
            CompletableFuture<Object> waiter =
                    CompletableFuture.supplyAsync(() -> locking.claimAndApply(event, tx -> null));
            assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ClaimInFlightException.class);
            holder.rollback();
        }
        assertThat(locking.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
    }

    @Test
    void p1_purgesStatementTakesTheOldOnesByTheDatabasesClockInUtc() throws SQLException {
        Event old = event();
        Event fresh = event();
        store.claimAndApply(old, tx -> null);
        store.claimAndApply(fresh, tx -> null);
        try (Connection connection = transaction()) {
            try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeUpdate("UPDATE dedup_claim SET claimed_at = claimed_at - INTERVAL '2' HOUR"
                                + " WHERE event_id = '" + old.key().eventId() + "'"))
                        .isEqualTo(1);
            }
            try (PreparedStatement purge = connection.prepareStatement(new OracleSql(TABLE).purge())) {
                purge.setLong(1, 3600);
                purge.setInt(2, 100);
                assertThat(purge.executeUpdate()).isEqualTo(1);
            }
            connection.commit();
        }
        assertThat(store.find(old.key())).isEmpty();
        assertThat(store.find(fresh.key())).isPresent();
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
