package io.dedupstore.servers.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.CommitInDoubtException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import io.dedupstore.servers.CommitCut;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * R3 for real: the network is cut while the server commits. The consumer goes through the proxy, the test does not. Every
 * outcome is told, and the effect counted.
 */
@Timeout(120)
public abstract class CommitCutRules extends BadNetwork {
    /** For subclasses. */
    protected CommitCutRules() {}

    private static int runThatCounts(CommitCut how) {
        return how == CommitCut.REQUEST_LOST ? 2 : 1;
    }

    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST", "LEFT_RUNNING"})
    final void r3_whatWasCommittedIsAppliedWithTheFirstRunsResultElseItRunsAgain(CommitCut how) {
        DedupStore store = cut("", b -> b);
        proxy().cutNextCommit(how);
        assertAppliedByRun(store.claimAndApply(event, numbered()), runThatCounts(how));
        assertThat(proxy().cuts()).isEqualTo(1);
    }

    @Test
    final void r3_replyThatHangsUntilTheSocketTimeout() {
        DedupStore store = cut(waitsOneSecond(), b -> b);
        proxy().cutNextCommit(CommitCut.REPLY_HANGS);
        assertAppliedByRun(store.claimAndApply(event, numbered()), 1);
        assertThat(proxy().cuts()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST"})
    final void r3_newConnectionsAreRefusedForAWhile(CommitCut how) {
        AtomicInteger retries = new AtomicInteger();
        DedupStore store = cut("", onRetry(attempts -> {
            retries.set(attempts);
            proxy().refuse(attempts < 5);
        }));
        proxy().cutNextCommit(how);
        assertAppliedByRun(store.claimAndApply(event, numbered()), runThatCounts(how));
        assertThat(retries).hasValue(5);
    }

    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST"})
    final void r3_nothingReachableIsACommitInDoubtAndTheRedeliveryFindsOut(CommitCut how) {
        DedupStore store = cut(
                "",
                b -> onRetry(attempts -> proxy().refuse(true))
                        .apply(b.retry(RetryPolicy.defaults().withDeadline(Duration.ofMillis(300)))));
        proxy().cutNextCommit(how);
        assertThatThrownBy(() -> store.claimAndApply(event, numbered()))
                .isInstanceOfSatisfying(
                        CommitInDoubtException.class,
                        doubt -> assertThat(doubt.disposition()).isEqualTo(Disposition.RETRY));
        assertThat(runs).hasValue(1);
        proxy().refuse(false);
        assertThat(store.claimAndApply(event.redelivered(true), numbered()))
                .isInstanceOf(how == CommitCut.REPLY_LOST ? Outcome.Duplicate.class : Outcome.Applied.class);
        assertThat(bank().credits()).isEqualTo(1);
    }

    /** The run after a lost one is cut too. */
    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST", "LEFT_RUNNING"})
    final void r3_secondCommitIsCutToo(CommitCut how) {
        DedupStore store = cut("", onRetry(attempts -> {
            if (attempts == 1) {
                proxy().cutNextCommit(how);
            }
        }));
        proxy().cutNextCommit(CommitCut.REQUEST_LOST);
        assertAppliedByRun(store.claimAndApply(event, numbered()), 1 + runThatCounts(how));
        assertThat(proxy().cuts()).isEqualTo(2);
    }

    /** In the run after a lost one a lock is not had, and the work ignores that. */
    @Test
    final void a3_secondRunSwallowsAFailure() {
        DedupStore store = cut("", b -> b.retry(RetryPolicy.defaults()));
        proxy().cutNextCommit(CommitCut.REQUEST_LOST);
        Outcome<Integer> outcome = store.claimAndApply(event, tx -> {
            int run = runs.incrementAndGet();
            if (run != 2) {
                Bank.credit(tx);
                return run;
            }
            tx.execute(shortLockWait());
            try (Handle holder = bank().holdAccount()) {
                assertThatThrownBy(() -> Bank.credit(tx)).isInstanceOf(JdbiException.class);
                holder.rollback();
            }
            return run;
        });
        assertAppliedByRun(outcome, 3);
    }

    @Test
    final void r3_anotherConsumerAppliedItMeanwhile() {
        DedupStore store = cut("", onRetry(attempts -> bank().store().claimAndApply(event, Bank::credit)));
        proxy().cutNextCommit(CommitCut.REQUEST_LOST);
        assertThat(store.claimAndApply(event, numbered())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(bank().credits()).isEqualTo(1);
    }

    @Test
    final void c3_anotherPayloadWasAppliedMeanwhile() {
        Event altered = Event.of(event.key(), PayloadHash.ofText("another payload"));
        DedupStore store = cut("", onRetry(attempts -> bank().store().claimAndApply(altered, Bank::credit)));
        proxy().cutNextCommit(CommitCut.REQUEST_LOST);
        assertThatThrownBy(() -> store.claimAndApply(event, numbered())).isInstanceOf(PayloadConflictException.class);
        assertThat(bank().credits()).isEqualTo(1);
    }

    /** What comes of the transaction whose client has gone, and which a new claim waits for. */
    protected enum End {
        /** Its commit arrives, or goes on. */
        COMMITS,
        /** Somebody ends it. */
        IS_TERMINATED
    }

    @ParameterizedTest
    @EnumSource(End.class)
    final void r3_commitArrivesLateAndTheNewClaimWaitsForIt(End end) throws Exception {
        DedupStore store = cut("", b -> b);
        proxy().cutNextCommit(CommitCut.REQUEST_LATE);
        AtomicInteger first = new AtomicInteger();
        Future<Outcome<Integer>> consumer = Concurrently.run(() -> store.claimAndApply(event, tx -> {
            first.compareAndSet(
                    0, tx.select(sessionNumber()).mapTo(Integer.class).one());
            return numbered().withHandle(tx);
        }));
        Concurrently.await("the new claim waits", () -> bank().with(this::waitingClaims) == 1);
        assertThat(runs).as("the new claim waits before its work").hasValue(1);
        if (end == End.COMMITS) {
            proxy().letCommitThrough();
        } else {
            bank().with(handle -> {
                end(handle, first.get());
                return null;
            });
        }
        assertAppliedByRun(consumer.get(30, TimeUnit.SECONDS), end == End.COMMITS ? 1 : 2);
    }

    @Test
    final void r3_commitThatArrivesAfterTheDeadlineStaysInDoubt() {
        DedupStore store = cut(
                "",
                b -> b.lockWait(Duration.ofMillis(100))
                        .retry(RetryPolicy.defaults().withDeadline(Duration.ofMillis(500))));
        proxy().cutNextCommit(CommitCut.REQUEST_LATE);
        assertThatThrownBy(() -> store.claimAndApply(event, numbered())).isInstanceOf(CommitInDoubtException.class);
        proxy().letCommitThrough();
        assertThat(bank().store().claimAndApply(event, numbered()))
                .as("the old commit, or the wait for it, decides")
                .isInstanceOf(Outcome.Duplicate.class);
        assertThat(bank().credits()).isEqualTo(1);
    }
}
