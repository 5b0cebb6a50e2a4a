package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dedupstore.DedupException;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.core.BaseConnection;

/** Failures that a real server really makes, and what becomes of the event. */
@Timeout(120)
class FailureTest {
    private Scene scene;

    @BeforeEach
    void prepare() {
        scene = new Scene(Servers.POSTGRES.url()).ready();
    }

    /** If a driver throws here one day, {@link PostgresTransaction} may look less closely. */
    @Test
    void f1_theDriverItselfReportsSuccess() throws Exception {
        try (Connection connection = scene.transaction();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO account VALUES ('lost', 1)");
            assertThatThrownBy(() -> statement.execute("SELECT 1 / 0")).isInstanceOf(SQLException.class);
            connection.commit();
        }
        assertThat(scene.number("SELECT count(*) FROM account WHERE id = 'lost'"))
                .isZero();
    }

    @Test
    void f1_commitOfAnAbortedTransactionIsNeverASuccess() throws Exception {
        TransactionOptions options =
                new TransactionOptions(TransactionIsolationLevel.READ_COMMITTED, Duration.ofSeconds(1));
        try (Connection connection = scene.connect()) {
            PostgresDialect dialect = (PostgresDialect)
                    new PostgresDialectProvider().dialect(connection, io.dedupstore.spi.TableName.of("dedup_claim"));
            try (var transaction = dialect.begin(connection, options);
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute("SELECT 1 / 0")).isInstanceOf(SQLException.class);
                SQLException refused = catchThrowableOfType(SQLException.class, transaction::commit);
                assertThat(dialect.classify(refused)).isEqualTo(FailureKind.SERIALIZATION);
                transaction.rollback();
            }
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.unwrap(BaseConnection.class).getTransactionState())
                    .isEqualTo(org.postgresql.core.TransactionState.IDLE);
        }
    }

    @Test
    void a3_failureSwallowedOnTheDriversOwnConnection() throws Exception {
        Event event = Scene.event();
        long cents = scene.cents();
        assertThatThrownBy(() -> scene.store().claimAndApply(event, tx -> {
                    Scene.credit(tx);
                    Connection driver = tx.getConnection().unwrap(BaseConnection.class);
                    try (Statement statement = driver.createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    } catch (SQLException swallowed) {
                        return null;
                    }
                    return null;
                }))
                .isInstanceOf(WorkFailedException.class);
        assertThat(scene.cents()).isEqualTo(cents);
        scene.store().claimAndApply(event, Scene::credit);
        scene.assertAppliedOnce(event, cents);
    }

    @Test
    void a3_commitAndMoreOnTheDriversOwnConnectionIsNoticed() throws Exception {
        long cents = scene.cents();
        assertThatThrownBy(() -> scene.store().claimAndApply(Scene.event(), tx -> {
                    try (Statement statement =
                            tx.getConnection().unwrap(BaseConnection.class).createStatement()) {
                        statement.execute("COMMIT");
                        statement.execute(Scene.CREDIT); // in another transaction, without the claim
                    }
                    return null;
                }))
                .isInstanceOf(WorkFailedException.class);
        assertThat(scene.cents()).isEqualTo(cents);
    }

    @Test
    void a3_readsOnTheDriversOwnConnectionAreNoFault() throws Exception {
        long cents = scene.cents();
        Event event = Scene.event();
        for (String savepoint : new String[] {"", "SAVEPOINT s"}) {
            Outcome<Object> outcome = scene.store().claimAndApply(event, tx -> {
                try (Statement statement =
                        tx.getConnection().unwrap(BaseConnection.class).createStatement()) {
                    statement.execute("SELECT 1; " + savepoint);
                }
                return Scene.credit(tx);
            });
            assertThat(outcome).isInstanceOf(savepoint.isEmpty() ? Outcome.Applied.class : Outcome.Duplicate.class);
        }
        scene.assertAppliedOnce(event, cents);
    }

    @Test
    void e3_deferredConstraintAtTheCommit() {
        scene.execute("CREATE TABLE IF NOT EXISTS place (id int, UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)");
        Event event = Scene.event();
        assertThatThrownBy(
                        () -> scene.store().claimAndApply(event, tx -> tx.execute("INSERT INTO place VALUES (1), (1)")))
                .isInstanceOf(WorkFailedException.class)
                .hasMessageContaining("23505");
        assertThat(scene.store().find(event.key())).isEmpty();
    }

    @Test
    void r1_idleInTransactionTimeout() {
        Scene impatient = new Scene(scene.url() + "&options=-c%20idle_in_transaction_session_timeout=100");
        Event event = Scene.event();
        long cents = scene.cents();
        AtomicInteger runs = new AtomicInteger();
        Outcome<Object> outcome = null;
        try {
            outcome = impatient.store().claimAndApply(event, tx -> {
                if (runs.incrementAndGet() == 1) {
                    scene.awaitGone(Scene.pid(tx));
                }
                return Scene.credit(tx);
            });
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(runs).hasValue(2);
        scene.assertAppliedOnce(event, cents);
    }

    @Test
    void r1_statementTimeoutInTheWork() {
        Scene once = new Scene(scene.url(), b -> b.retry(RetryPolicy.none()));
        Event event = Scene.event();
        // swallowed, with the transaction whole again by a savepoint of the driver, or not: never a commit
        for (String mode : new String[] {"", "&autosave=always"}) {
            Scene other = new Scene(scene.url() + mode, b -> b.retry(RetryPolicy.none()));
            TransientStoreException refused = catchThrowableOfType(
                    TransientStoreException.class,
                    () -> other.store().claimAndApply(event, tx -> {
                        tx.execute("SET LOCAL statement_timeout = 50");
                        try {
                            tx.execute("SELECT pg_sleep(10)");
                        } catch (RuntimeException swallowed) {
                            return null;
                        }
                        return null;
                    }));
            assertThat(refused.reason()).as(mode).isEqualTo(Reason.TIMEOUT);
        }
        assertThat(once.store().find(event.key())).isEmpty();
    }

    @Test
    void a3_swallowedUniqueViolationWithASavepointByTheDriver() {
        Event event = Scene.event();
        long cents = scene.cents();
        Scene saving = new Scene(scene.url() + "&autosave=always");
        Outcome<Object> outcome = saving.store().claimAndApply(event, tx -> {
            Scene.credit(tx);
            try {
                tx.execute("INSERT INTO account VALUES ('a', 0)");
            } catch (RuntimeException handled) {
                return "handled";
            }
            return "not refused";
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Applied.class,
                        applied -> assertThat(applied.result()).isEqualTo("handled"));
        scene.assertAppliedOnce(event, cents);
        Event unsaved = Scene.event();
        assertThatThrownBy(() -> scene.store().claimAndApply(unsaved, tx -> {
                    try {
                        return tx.execute("INSERT INTO account VALUES ('a', 0)");
                    } catch (RuntimeException swallowed) {
                        return 0;
                    }
                }))
                .isInstanceOf(WorkFailedException.class);
        assertThat(scene.store().find(unsaved.key())).isEmpty();
    }

    @Test
    void e5_missingTableOrDatabaseIsAConfigurationError() {
        assertThatThrownBy(() -> new Scene(scene.url(), b -> b.table("nowhere.at_all"))
                        .store()
                        .claimAndApply(Scene.event(), Scene::credit))
                .isInstanceOf(io.dedupstore.StoreConfigurationException.class)
                .hasMessageContaining("nowhere.at_all");
        assertThatThrownBy(() -> new Scene(scene.url().replace("/postgres?", "/missing?")))
                .isInstanceOf(DedupException.class);
    }
}
