package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** W1 to W5. */
abstract class WaitingRules extends Rules {
    private static final int WAITERS = 6;
    private static final Duration BOUND = Duration.ofMillis(600);

    WaitingRules(BackendFixture fixture) {
        super(fixture);
    }

    /** Waits long, retries often: no caller may see what the database does to waiters. */
    private DedupStore patient() {
        return kit.store(builder -> builder.lockWait(Duration.ofSeconds(30))
                .retry(RetryPolicy.defaults().withDeadline(Duration.ofSeconds(60))));
    }

    private List<Future<Outcome<Long>>> waiters(DedupStore store, Event event) throws SQLException {
        List<Future<Outcome<Long>>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(kit.async(() -> store.claimAndApply(event, kit.credit())));
        }
        kit.awaitWaiting(waiters);
        return waiters;
    }

    private static int applied(List<Future<Outcome<Long>>> waiters) throws Exception {
        int applied = 0;
        for (Future<Outcome<Long>> waiter : waiters) {
            applied += Kit.get(waiter) instanceof Outcome.Applied ? 1 : 0;
        }
        return applied;
    }

    @Test
    void w1_allWaitersSeeADuplicateWhenTheHolderCommits() throws Exception {
        Event event = kit.event();
        Holder holder = new Holder(kit, patient(), event);
        List<Future<Outcome<Long>>> waiters = waiters(patient(), event);
        assertThat(holder.commit()).isInstanceOf(Outcome.Applied.class);
        assertThat(applied(waiters)).isZero();
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void w1_oneWaiterAppliesWhenTheHolderRollsBack() throws Exception {
        Event event = kit.event();
        Holder holder = new Holder(kit, patient(), event);
        List<Future<Outcome<Long>>> waiters = waiters(patient(), event);
        holder.rollBack();
        assertThat(applied(waiters)).isEqualTo(1);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void w1_waiterWithAnotherPayloadConflicts() throws Exception {
        Event event = kit.event();
        Holder holder = new Holder(kit, patient(), event);
        Future<Outcome<Long>> loser = kit.async(() -> patient().claimAndApply(kit.altered(event), kit.credit()));
        kit.awaitWaiting(List.of(loser));
        holder.commit();
        assertThatThrownBy(() -> Kit.get(loser))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PayloadConflictException.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void w2_waitIsBoundedAndNeverADuplicate(boolean joined) throws Exception {
        Event event = kit.event();
        Holder holder = new Holder(kit, patient(), event);
        DedupStore store = kit.store(builder -> builder.lockWait(BOUND));
        Duration overshoot = Duration.ofDays(1);
        // a wrong bound is wrong every time; a busy machine is not
        for (int i = 0; i < 3 && overshoot.compareTo(allowedOvershoot()) > 0; i++) {
            long asked = System.nanoTime();
            Throwable caught = catchThrowable(() -> wait(store, event, joined));
            Duration waited = Duration.ofNanos(System.nanoTime() - asked);
            assertThat(caught).isInstanceOf(ClaimInFlightException.class).hasMessageContaining("600 ms");
            assertThat(waited).isGreaterThanOrEqualTo(BOUND.minusMillis(20));
            overshoot = waited.minus(BOUND);
        }
        assertThat(overshoot).isLessThanOrEqualTo(allowedOvershoot());
        holder.rollBack();
        kit.assertNothingRemains(event, 0);
    }

    private Duration allowedOvershoot() {
        return kit.fixture().allowedOvershoot();
    }

    private void wait(DedupStore store, Event event, boolean joined) throws SQLException {
        if (!joined) {
            store.claimAndApply(event, kit.credit());
            return;
        }
        try (Connection connection = kit.transaction()) {
            try {
                store.claim(connection, event);
                connection.commit();
            } finally {
                connection.rollback();
            }
        }
    }

    @Test
    void w3_freshClaimsOfOtherKeysDoNotWait() throws Exception {
        Event held = kit.event();
        Holder holder = new Holder(kit, patient(), held);
        DedupStore store = kit.store(builder -> builder.lockWait(BOUND));
        String id = held.key().eventId();
        // neighbours in the index, on both sides
        for (String other : List.of(id + "0", id.substring(0, id.length() - 1), id + "\uffff", "0", "zzz-" + id)) {
            Event event = kit.event(io.dedupstore.EventKey.of("kit", other + id), "payload");
            Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> null));
            if (kit.has(Capability.CONCURRENT_WRITERS)) {
                assertThat(caught).as(other).isNull();
            } else {
                assertThat(caught).isInstanceOf(ClaimInFlightException.class);
                break;
            }
        }
        holder.commit();
        assertThat(kit.credits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void w4_joinedClaimWithAnOlderSnapshotIsNeverWrong(boolean altered) throws Exception {
        DedupStore store = kit.store(builder -> builder.lockWait(Duration.ofSeconds(5)));
        Event event = kit.event();
        for (int level : kit.fixture().snapshotLevels()) {
            try (Connection connection = kit.connection()) {
                int before = connection.getTransactionIsolation();
                connection.setTransactionIsolation(level);
                connection.setAutoCommit(false);
                read(connection);
                kit.store().claimAndApply(event, tx -> null);
                Event delivery = altered ? kit.altered(event) : event;
                Throwable caught = catchThrowable(() -> assertThat(store.claim(connection, delivery))
                        .isInstanceOf(io.dedupstore.ClaimResult.Duplicate.class));
                if (altered && caught == null) {
                    throw new AssertionError("An altered payload was taken for a duplicate");
                }
                if (caught != null && !(altered && caught instanceof PayloadConflictException)) {
                    assertThat(caught)
                            .isInstanceOfSatisfying(
                                    TransientStoreException.class,
                                    failure -> assertThat(failure.reason())
                                            .isEqualTo(TransientStoreException.Reason.SERIALIZATION));
                }
                connection.rollback();
                connection.setAutoCommit(true);
                connection.setTransactionIsolation(before);
            }
        }
        assertThat(kit.credits()).isZero();
    }

    private void read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT cents FROM kit_account WHERE id = ?")) {
            statement.setString(1, kit.account());
            statement.executeQuery().next();
        }
    }

    @Test
    void w5_claimThatVanishedBeforeItsHashWasReadIsAskedForAgain() {
        Event event = kit.event();
        FaultyDialect dialect = kit.faulty().vanish(2);
        assertThat(kit.store(dialect, builder -> {}).claimAndApply(event, kit.credit()))
                .isInstanceOf(Outcome.Applied.class);
        assertThat(dialect.claims()).isEqualTo(3);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void w5_claimThatAlwaysVanishesEndsInATransientError() {
        Event event = kit.event();
        FaultyDialect dialect = kit.faulty().vanish(Integer.MAX_VALUE);
        assertThatThrownBy(() -> kit.store(dialect, builder -> {}).claimAndApply(event, kit.credit()))
                .isInstanceOf(TransientStoreException.class);
        assertThat(dialect.claims()).isLessThan(100);
        kit.assertNothingRemains(event, 0);
    }
}
