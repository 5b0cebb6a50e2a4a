package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for writers of other processes, which no queue of this JVM orders. */
@Timeout(180)
class SqliteWaitTest {
    private static final Duration BOUND = Duration.ofMillis(400);
    private static final Duration OVERSHOOT = Duration.ofMillis(250);

    @TempDir
    Path folder;

    private final Event event = Ledger.event("waits");
    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("wait.db"));
    }

    private ChildJvm holder() throws Exception {
        ChildJvm child = ChildJvm.start("hold", ledger.file().toString());
        child.await("holds");
        return child;
    }

    private ClaimResult join(DedupStore store) throws SQLException {
        try (Connection connection = ledger.connection()) {
            connection.setAutoCommit(false);
            try {
                ClaimResult result = store.claim(connection, event);
                connection.commit();
                return result;
            } finally {
                connection.rollback();
            }
        }
    }

    private void assertBounded(boolean joined) {
        DedupStore store = ledger.store(builder -> builder.lockWait(BOUND));
        Duration overshoot = Duration.ofDays(1);
        // a wrong bound is wrong every time; a busy machine is not
        for (int i = 0; i < 3 && overshoot.compareTo(OVERSHOOT) > 0; i++) {
            long asked = System.nanoTime();
            Throwable caught =
                    catchThrowable(() -> assertThat(joined ? join(store) : store.claimAndApply(event, Ledger::credit))
                            .isNull());
            Duration waited = Duration.ofNanos(System.nanoTime() - asked);
            assertThat(caught).isInstanceOf(ClaimInFlightException.class).hasMessageContaining("400 ms");
            assertThat(waited).isGreaterThanOrEqualTo(BOUND.minusMillis(20));
            overshoot = waited.minus(BOUND);
        }
        assertThat(overshoot).isLessThanOrEqualTo(OVERSHOOT);
    }

    @Test
    void w2_theWaitForAnotherProcessIsBounded() throws Exception {
        try (ChildJvm child = holder()) {
            assertBounded(false);
            assertBounded(true);
            child.tell("ROLLBACK");
            child.await("ended");
        }
        ledger.assertNothingRemains(event);
    }

    @Test
    void w2_theTurnInTheQueueAndTheWaitForTheFileShareOneBound() throws Exception {
        Duration bound = Duration.ofSeconds(1);
        DedupStore store = ledger.store(builder -> builder.lockWait(bound));
        Duration overshoot = Duration.ofDays(1);
        try (ChildJvm child = holder()) {
            for (int i = 0; i < 3 && overshoot.compareTo(OVERSHOOT) > 0; i++) {
                overshoot = waitedBehindATurnOf(Duration.ofMillis(700), store).minus(bound);
            }
            child.tell("ROLLBACK");
            child.await("ended");
        }
        assertThat(overshoot).isLessThanOrEqualTo(OVERSHOOT);
        ledger.assertNothingRemains(event);
    }

    /** This thread has the turn for so long, while another process has the file; how long a claim waits for both. */
    private Duration waitedBehindATurnOf(Duration turn, DedupStore store) throws Exception {
        WriterQueue queue;
        try (Connection connection = ledger.connection()) {
            queue = WriterQueue.of(connection, null);
        }
        assertThat(queue.enter(BOUND)).isTrue();
        long asked = System.nanoTime();
        CompletableFuture<Throwable> waiter = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> store.claimAndApply(event, Ledger::credit)),
                task -> new Thread(task).start());
        while (queue.waiting() == 0 || System.nanoTime() - asked < turn.toNanos()) {
            assertThat(System.nanoTime() - asked).isLessThan(TimeUnit.SECONDS.toNanos(30));
            LockSupport.parkNanos(1_000_000);
        }
        queue.leave();
        assertThat(waiter.get(60, TimeUnit.SECONDS)).isInstanceOf(ClaimInFlightException.class);
        return Duration.ofNanos(System.nanoTime() - asked);
    }

    @Test
    void w1_theClaimGoesOnWhenTheOtherProcessCommits() throws Exception {
        try (ChildJvm child = holder()) {
            CompletableFuture<Outcome<Long>> waiter = waiter();
            child.tell("COMMIT");
            child.await("ended");
            assertThat(waiter.get(60, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
        }
        assertThat(ledger.number("SELECT cents FROM account")).isEqualTo(Ledger.CREDIT - 1);
    }

    @Test
    void w1_theClaimGoesOnWhenTheOtherProcessIsKilled() throws Exception {
        try (ChildJvm child = holder()) {
            CompletableFuture<Outcome<Long>> waiter = waiter();
            child.kill();
            assertThat(waiter.get(60, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
        }
        assertThat(ledger.number("SELECT cents FROM account")).isEqualTo(Ledger.CREDIT);
    }

    private CompletableFuture<Outcome<Long>> waiter() {
        DedupStore store = ledger.store(builder -> builder.lockWait(Duration.ofSeconds(60)));
        return CompletableFuture.supplyAsync(
                () -> store.claimAndApply(event, Ledger::credit), task -> new Thread(task).start());
    }

    @Test
    void c1_severalProcessesApplyEachEventOnce() throws Exception {
        int events = 50;
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                children.add(ChildJvm.start("consume", ledger.file().toString(), "" + events));
            }
            for (ChildJvm child : children) {
                child.await("ready");
            }
            for (ChildJvm child : children) {
                child.tell("go");
            }
            for (ChildJvm child : children) {
                child.awaitEnd();
            }
        } finally {
            for (ChildJvm child : children) {
                child.close();
            }
        }
        assertThat(ledger.credits()).isEqualTo(events);
        assertThat(ledger.claims()).isEqualTo(events);
    }
}
