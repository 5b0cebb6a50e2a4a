package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.TransientStoreException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The wait for a holder, and what bounds it. */
@Timeout(120)
class WaitingTest {
    private Scene scene;
    private DedupStore store;

    @BeforeEach
    void prepare() {
        scene = new Scene(Servers.POSTGRES.url()).ready();
        store = scene.store();
    }

    @Test
    void w1_waiterOfAKilledHolderApplies() throws Exception {
        Event event = Scene.event();
        try (Connection holder = scene.transaction()) {
            store.claim(holder, event);
            String pid = Scene.value(holder, "SELECT pg_backend_pid()");
            Future<Outcome<Object>> waiter = Scene.async(() -> store.claimAndApply(event, Scene::credit));
            scene.awaitWaiting(1);
            scene.execute("SELECT pg_terminate_backend(" + pid + ")");
            assertThat(waiter.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
        }
    }

    @Test
    void w2_boundHoldsForTheSumOfSeveralHolders() throws Exception {
        Duration bound = Duration.ofMillis(800);
        DedupStore impatient = new Scene(scene.url(), b -> b.lockWait(bound)).store();
        impatient.schema().validate();
        Duration shortest = Duration.ofDays(1);
        // a wrong bound is wrong every time; a busy machine is not
        for (int attempt = 0, measured = 0; attempt < 20 && measured < 3; attempt++) {
            Duration waited = waitForTwoHolders(impatient);
            if (waited != null) {
                measured++;
                assertThat(waited).isGreaterThan(bound.minusMillis(20));
                shortest = waited.compareTo(shortest) < 0 ? waited : shortest;
            }
        }
        assertThat(shortest).isLessThanOrEqualTo(bound.plusMillis(250));
    }

    /** How long the waiter waited; null if it got the key when the first holder rolled back. */
    private Duration waitForTwoHolders(DedupStore impatient) throws Exception {
        Event event = Scene.event();
        List<Connection> others = new ArrayList<>();
        List<Future<ClaimResult>> claims = new ArrayList<>();
        try (Connection first = scene.transaction()) {
            store.claim(first, event);
            for (int i = 0; i < 3; i++) {
                Connection other = scene.transaction();
                others.add(other);
                claims.add(Scene.async(() -> store.claim(other, event)));
            }
            scene.awaitWaiting(claims.size());
            long asked = System.nanoTime();
            Future<Long> waiter = Scene.async(() -> {
                Throwable caught = catchThrowable(() -> impatient.claimAndApply(event, tx -> null));
                return caught instanceof ClaimInFlightException ? System.nanoTime() - asked : -1;
            });
            scene.awaitWaiting(4);
            // the first holder takes most of the bound
            Waiting.until(
                    "time",
                    () -> System.nanoTime() - asked > Duration.ofMillis(500).toNanos());
            first.rollback();
            long waited = waiter.get(30, TimeUnit.SECONDS);
            return waited < 0 ? null : Duration.ofNanos(waited);
        } finally {
            // whichever got the key lets the others go on; they are ended by their server's side
            scene.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND query LIKE '%dedup_claim%' AND datname = current_database() AND state <> 'idle'");
            for (Connection other : others) {
                other.close();
            }
        }
    }

    @Test
    void w2_tighterStatementTimeoutOfTheSessionStays() throws Exception {
        Event event = Scene.event();
        Scene hasty = new Scene(scene.url() + "&options=-c%20statement_timeout=200");
        try (Connection holder = scene.transaction();
                Connection waiter = hasty.transaction()) {
            store.claim(holder, event);
            assertThatThrownBy(() -> hasty.store().claim(waiter, event))
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(TransientStoreException.Reason.TIMEOUT));
        }
    }
}
