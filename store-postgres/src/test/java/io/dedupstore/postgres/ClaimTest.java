package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.Claim;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.StoreConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the claim's statements do on a PostgreSQL server, beyond what the kit asks of every database. */
@Timeout(120)
class ClaimTest {
    private static final String TIMEOUTS =
            "SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')";

    private Scene scene;
    private DedupStore store;

    @BeforeEach
    void prepare() {
        scene = new Scene(Servers.POSTGRES.url()).ready();
        store = scene.store();
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a7_noSettingIsLeftBehind() throws Exception {
        Event event = Scene.event();
        try (Connection connection = scene.transaction()) {
            run(connection, "SET SESSION lock_timeout = '3s'");
            run(connection, "SET LOCAL lock_timeout = '7s'; SET LOCAL statement_timeout = '1min'");
            for (int i = 0; i < 3; i++) {
                assertThat(store.claim(connection, Scene.event())).isInstanceOf(ClaimResult.Claimed.class);
                assertThat(Scene.value(connection, TIMEOUTS)).as("fresh").isEqualTo("7s 1min");
            }
            store.claim(connection, event);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(Scene.value(connection, TIMEOUTS)).as("duplicate").isEqualTo("7s 1min");
            assertThatThrownBy(() -> store.claim(connection, Scene.altered(event)))
                    .isInstanceOf(PayloadConflictException.class);
            assertThat(Scene.value(connection, TIMEOUTS)).as("conflict").isEqualTo("7s 1min");
            connection.commit();
            assertThat(Scene.value(connection, TIMEOUTS)).as("session").isEqualTo("3s 0");
            connection.commit();
        }
        AtomicReference<String> inWork = new AtomicReference<>();
        store.claimAndApply(Scene.event(), tx -> {
            inWork.set(Scene.value(tx.getConnection(), TIMEOUTS));
            return null;
        });
        assertThat(inWork).as("a work on a session with other settings").hasValue("0 0");
    }

    @Test
    void a7_settingsComeBackWithTheSavepointAfterATimeout() throws Exception {
        Event event = Scene.event();
        DedupStore impatient = new Scene(scene.url(), b -> b.lockWait(Duration.ofMillis(100))).store();
        try (Connection holder = scene.transaction();
                Connection waiter = scene.transaction()) {
            store.claim(holder, event);
            run(waiter, "SET LOCAL lock_timeout = '7s'; SAVEPOINT s");
            assertThatThrownBy(() -> impatient.claim(waiter, event)).isInstanceOf(ClaimInFlightException.class);
            run(waiter, "ROLLBACK TO s");
            assertThat(Scene.value(waiter, TIMEOUTS)).isEqualTo("7s 0");
            assertThat(impatient.claim(waiter, Scene.event())).isInstanceOf(ClaimResult.Claimed.class);
            waiter.commit();
        }
    }

    @Test
    void c2_duplicateLeavesNoTraceOnTheServer() throws Exception {
        Event event = Scene.event();
        store.claimAndApply(event, Scene::credit);
        try (Connection connection = scene.transaction()) {
            for (int i = 0; i < 10; i++) {
                assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
            }
            assertThat(Scene.value(connection, "SELECT pg_current_xact_id_if_assigned()"))
                    .as("transaction id")
                    .isNull();
            assertThat(Scene.value(
                            connection,
                            "SELECT n_tup_ins FROM pg_stat_xact_user_tables"
                                    + " WHERE relid = 'dedup_claim'::regclass"))
                    .as("row versions, dead ones included")
                    .isEqualTo("0");
            assertThat(Scene.value(
                            connection,
                            "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
                                    + " AND locktype NOT IN ('relation', 'virtualxid')"))
                    .as("locks on rows and ids")
                    .isEqualTo("0");
            assertThat(Scene.value(
                            connection,
                            "SELECT xmax FROM dedup_claim WHERE event_id = '"
                                    + event.key().eventId() + "'"))
                    .as("row lock")
                    .isEqualTo("0");
            connection.commit();
        }
    }

    @Test
    void e5_selectAndInsertAreAllTheRightsItNeeds() {
        scene.execute("DO 'BEGIN IF to_regrole(''clerk'') IS NULL THEN CREATE ROLE clerk LOGIN; END IF; END'");
        String url = scene.url().replace("user=postgres", "user=clerk");
        scene.execute("REVOKE ALL ON dedup_claim FROM clerk; GRANT SELECT ON dedup_claim TO clerk");
        assertThatThrownBy(() -> new Scene(url).store().claimAndApply(Scene.event(), tx -> null))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("GRANT SELECT, INSERT");
        scene.execute("GRANT INSERT ON dedup_claim TO clerk");
        DedupStore clerks = new Scene(url).store();
        Event event = Scene.event();
        assertThat(clerks.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
        assertThat(clerks.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(clerks.find(event.key())).isPresent();
        clerks.schema().validate();
    }

    @Test
    void a5_levelIsReadCommittedWhateverTheSessionsDefault() throws Exception {
        AtomicReference<String> level = new AtomicReference<>();
        try (HikariDataSource pool = PostgresFixture.pool(scene.url())) {
            pool.setMaximumPoolSize(1);
            DedupStore pooled = DedupStore.builder(pool).build();
            for (String sessions : List.of("read committed", "serializable", "read committed", "repeatable read")) {
                try (Connection connection = pool.getConnection()) {
                    run(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + sessions);
                }
                Event event = Scene.event();
                assertThat(pooled.claimAndApply(event, tx -> {
                            level.set(Scene.value(tx.getConnection(), "SHOW transaction_isolation"));
                            return Scene.credit(tx);
                        }))
                        .isInstanceOf(Outcome.Applied.class);
                assertThat(level).as(sessions).hasValue("read committed");
                assertThat(pooled.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Duplicate.class);
            }
        }
        DedupStore strict = new Scene(scene.url(), b -> b.isolation(TransactionIsolationLevel.REPEATABLE_READ)).store();
        strict.claimAndApply(Scene.event(), tx -> {
            level.set(Scene.value(tx.getConnection(), "SHOW transaction_isolation"));
            return null;
        });
        assertThat(level).hasValue("repeatable read");
    }

    @Test
    void a4_connectionInSomebodyElsesTransactionIsRefused() throws Exception {
        try (Connection connection = scene.transaction()) {
            DedupStore misled = DedupStore.builder(Jdbi.create(connection)).build();
            misled.schema().validate();
            long before = scene.cents();
            run(connection, Scene.CREDIT);
            for (Event event : List.of(Scene.event(), Scene.event().redelivered(true))) {
                assertThatThrownBy(() -> misled.claimAndApply(event, Scene::credit))
                        .isInstanceOf(StoreConfigurationException.class)
                        .hasMessageContaining("somebody else's transaction");
            }
            assertThatThrownBy(() -> misled.find(Scene.event().key())).isInstanceOf(StoreConfigurationException.class);
            connection.commit();
            assertThat(scene.cents()).as("the caller's own change").isEqualTo(before + 1);
        }
    }

    @Test
    void claimedAtIsTheServersTimeWhateverTheZones() {
        Event event = Scene.event();
        long before = scene.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
        store.claimAndApply(event, tx -> {
            tx.execute("SET LOCAL TIME ZONE 'Pacific/Chatham'");
            return null;
        });
        long after = scene.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
        Claim claim = store.find(event.key()).orElseThrow();
        assertThat(claim.claimedAt()).isBetween(micros(before), micros(after));
        Outcome<Object> again = store.claimAndApply(event, Scene::credit);
        assertThat(again).isEqualTo(new Outcome.Duplicate<>(claim));
    }

    private static Instant micros(long micros) {
        return Instant.EPOCH.plusNanos(micros * 1000);
    }
}
