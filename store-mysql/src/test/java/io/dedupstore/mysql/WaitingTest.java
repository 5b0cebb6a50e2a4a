package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import io.dedupstore.TransientStoreException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiters, and who else has to wait. */
@Timeout(120)
class WaitingTest {
    private static final int WAITERS = 32;

    /** The server makes all but one a deadlock's victim; with the default retries no caller sees it. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void w1_manyWaitersOnAHolderThatRollsBack(Servers server) throws Exception {
        AtomicInteger retries = new AtomicInteger();
        AtomicInteger mostOfOne = new AtomicInteger();
        Scene scene = new Scene(
                        Urls.recommended(server.url()),
                        b -> b.lockWait(Duration.ofSeconds(20)).listener(new DedupListener() {
                            @Override
                            public void retry(Event failed, int attempts, Duration pause, Throwable failure) {
                                retries.incrementAndGet();
                                mostOfOne.accumulateAndGet(attempts, Math::max);
                            }
                        }))
                .ready();
        for (int round = 0; round < 3; round++) {
            Event event = Scene.event();
            long cents = scene.cents();
            List<Future<Outcome<Object>>> waiters = new ArrayList<>();
            try (Connection holder = scene.transaction()) {
                scene.store().claim(holder, event);
                for (int i = 0; i < WAITERS; i++) {
                    waiters.add(Scene.async(() -> scene.store().claimAndApply(event, Scene::credit)));
                }
                scene.awaitWaiting(WAITERS);
                holder.rollback();
            }
            int applied = 0;
            for (Future<Outcome<Object>> waiter : waiters) {
                applied += waiter.get(60, TimeUnit.SECONDS) instanceof Outcome.Applied ? 1 : 0;
            }
            assertThat(applied).isEqualTo(1);
            assertThat(scene.cents()).isEqualTo(cents + 1);
        }
        assertThat(retries).as("the deadlocks that it is about").hasPositiveValue();
        assertThat(mostOfOne).as("attempts of one that failed").hasValueLessThan(4);
    }

    /** M6: what a duplicate locks is its own row, but for 8.0.12 at REPEATABLE READ, as the module's documentation says. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void m6_joinedDuplicateLeavesNeighboursClaimable(Servers server) throws Exception {
        Scene scene = new Scene(server.url(), b -> b.lockWait(Duration.ofSeconds(1))).ready();
        List<Integer> levels = server == Servers.MYSQL80
                ? List.of(Connection.TRANSACTION_READ_COMMITTED)
                : List.of(
                        Connection.TRANSACTION_READ_COMMITTED,
                        Connection.TRANSACTION_REPEATABLE_READ,
                        Connection.TRANSACTION_SERIALIZABLE);
        for (int level : levels) {
            Event event = Scene.event();
            scene.store().claimAndApply(event, tx -> null);
            try (Connection joined = scene.connect()) {
                joined.setTransactionIsolation(level);
                joined.setAutoCommit(false);
                assertThat(scene.store().claim(joined, event)).isInstanceOf(ClaimResult.Duplicate.class);
                String id = event.key().eventId();
                for (String other : List.of(id + "0", id.substring(0, id.length() - 1), "event-", "zzz" + id)) {
                    Event neighbour = Event.of(EventKey.of("billing", other + level), PayloadHash.ofText("payload"));
                    scene.store().claimAndApply(neighbour, tx -> null);
                }
                assertThat(scene.store().claimAndApply(event, tx -> null))
                        .as("the same event's next delivery")
                        .isInstanceOf(Outcome.Duplicate.class);
                joined.rollback();
            }
        }
    }

    /** The guess that a session has the settings is wrong, and costs time only. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void w2_sessionThatWouldWaitLongerDoesNot(Servers server) throws Exception {
        String url = server.url() + "&sessionVariables=innodb_lock_wait_timeout=1";
        Scene scene = new Scene(url, b -> b.lockWait(Duration.ofSeconds(1))).ready();
        Event event = Scene.event();
        try (Connection holder = scene.transaction();
                Connection waiter = scene.transaction();
                Statement statement = waiter.createStatement()) {
            scene.store().claim(holder, event);
            statement.execute("SET SESSION innodb_lock_wait_timeout = 50");
            long asked = System.nanoTime();
            assertThatThrownBy(() -> scene.store().claim(waiter, event)).isInstanceOf(ClaimInFlightException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(10));
            assertThat(Scene.value(waiter, "SELECT @@innodb_lock_wait_timeout")).isEqualTo("50");
            assertThat(scene.store().claim(waiter, Scene.event())).isInstanceOf(ClaimResult.Claimed.class);
            waiter.commit();
        }
    }

    /** A serializable transaction reads under locks, and a pool with auto-commit off gives connections that begin one. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void w2_lookUpThatLocksIsBoundedToo(Servers server) throws Exception {
        Scene scene = new Scene(server.url()).ready();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url() + "&sessionVariables=transaction_isolation='SERIALIZABLE'");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(1);
        Event event = Scene.event();
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection holder = scene.transaction()) {
            DedupStore store =
                    DedupStore.builder(pool).lockWait(Duration.ofSeconds(1)).build();
            scene.store().claim(holder, event);
            long asked = System.nanoTime();
            assertThatThrownBy(() -> store.find(event.key()))
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(TransientStoreException.Reason.LOCK_TIMEOUT));
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(10));
            holder.commit();
            assertThat(store.find(event.key())).isPresent();
            try (Connection connection = pool.getConnection()) {
                assertThat(Scene.value(connection, "SELECT @@innodb_lock_wait_timeout"))
                        .isEqualTo("50");
            }
        }
    }

    /** A snapshot from before the winner's commit does not hide it; but where the server forbids to go on (F4). */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void w4_olderSnapshot(Servers server) throws Exception {
        for (String isolation : server.isMariaDb() ? List.of("OFF", "ON") : List.of("")) {
            Scene scene = new Scene(
                            isolation.isEmpty()
                                    ? server.url()
                                    : server.url() + "&sessionVariables=innodb_snapshot_isolation=" + isolation)
                    .ready();
            Event event = Scene.event();
            try (Connection joined = scene.connect()) {
                joined.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                joined.setAutoCommit(false);
                Scene.value(joined, "SELECT cents FROM account");
                scene.store().claimAndApply(event, tx -> null);
                if (!isolation.equals("ON")) {
                    assertThat(scene.store().claim(joined, event)).isInstanceOf(ClaimResult.Duplicate.class);
                } else {
                    assertThatThrownBy(() -> scene.store().claim(joined, event))
                            .isInstanceOfSatisfying(
                                    TransientStoreException.class,
                                    e -> assertThat(e.reason())
                                            .isEqualTo(TransientStoreException.Reason.SERIALIZATION));
                }
                joined.rollback();
            }
            assertThat(scene.store().claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void r1_waiterWhoseConnectionIsKilledTriesAgain(Servers server) throws Exception {
        Scene scene = new Scene(server.url()).ready();
        Event event = Scene.event();
        DedupStore store = scene.store();
        try (Connection holder = scene.transaction()) {
            store.claim(holder, event);
            Future<Outcome<Object>> waiter = Scene.async(() -> store.claimAndApply(event, Scene::credit));
            scene.awaitWaiting(1);
            String id = scene.text("SELECT id FROM information_schema.processlist WHERE info LIKE '%claim_id%'"
                    + " AND info NOT LIKE '%processlist%'");
            scene.execute("KILL " + id);
            Waiting.until(
                    "it is gone",
                    () -> scene.number("SELECT count(*) FROM information_schema.processlist WHERE id = " + id) == 0);
            scene.awaitWaiting(1);
            holder.rollback();
            assertThat(waiter.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
        }
    }
}
