package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.CommitInDoubtException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.RetryPolicy;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.tck.FaultyDialect.Point;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.HandleCallback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R3: the commit's answer is lost. */
abstract class InDoubtRules extends Rules {
    private final AtomicInteger runs = new AtomicInteger();

    InDoubtRules(BackendFixture fixture) {
        super(fixture);
    }

    private static DedupStore.Builder quick(DedupStore.Builder builder) {
        return builder.retry(RetryPolicy.none()
                .withPauses(Duration.ofMillis(1), Duration.ofMillis(5))
                .withDeadline(Duration.ofSeconds(10)));
    }

    /** Credits, and returns the number of the run. */
    private HandleCallback<Integer, RuntimeException> numbered() {
        return tx -> {
            kit.creditNow(tx);
            return runs.incrementAndGet();
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTION", "OTHER", "TIMEOUT", "RESOURCES"})
    void r3_lostReplyOfACommitThatHappenedIsAppliedWithItsOwnResult(FailureKind kind) {
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REPLY, kind);
        Event event = kit.event();
        Outcome<Integer> outcome = kit.store(dialect, InDoubtRules::quick).claimAndApply(event, numbered());
        assertThat(outcome)
                .isEqualTo(new Outcome.Applied<>(
                        kit.store().find(event.key()).orElseThrow().claimId(), 1));
        assertThat(runs).hasValue(1);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r3_lostRequestRunsAgain() {
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REQUEST, FailureKind.CONNECTION);
        Event event = kit.event();
        Outcome<Integer> outcome = kit.store(dialect, InDoubtRules::quick).claimAndApply(event, numbered());
        assertThat(outcome)
                .isEqualTo(new Outcome.Applied<>(
                        kit.store().find(event.key()).orElseThrow().claimId(), 2));
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r3_networkThatIsAwayForAWhileIsWaitedFor() {
        FaultyDialect away = kit.faulty().fail(Point.COMMIT_REPLY, FailureKind.CONNECTION);
        // the first claim passes; the network goes when the second one is about to resolve the doubt
        away.beforeClaim(2, () -> away.fail(Point.CLAIM, FailureKind.CONNECTION, FailureKind.CONNECTION));
        Event event = kit.event();
        Outcome<Integer> outcome = kit.store(away, InDoubtRules::quick).claimAndApply(event, numbered());
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Applied.class,
                        applied -> assertThat(applied.result()).isEqualTo(1));
        assertThat(away.claims()).isEqualTo(4);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r3_anotherConsumerThatAppliedItMeanwhileMakesItADuplicate() {
        Event event = kit.event();
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REQUEST, FailureKind.CONNECTION);
        BeforeRetry other = new BeforeRetry(() -> kit.store().claimAndApply(event, kit.credit()));
        DedupStore store = kit.store(dialect, builder -> quick(builder).listener(other));
        assertThat(store.claimAndApply(event, numbered())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    /** Lets another consumer act between the lost commit and the next attempt. */
    private record BeforeRetry(Runnable action) implements io.dedupstore.DedupListener {
        @Override
        public void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {
            action.run();
        }
    }

    @Test
    void c3_conflictIsFoundWhileACommitInDoubtIsResolved() {
        Event event = kit.event();
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REQUEST, FailureKind.CONNECTION);
        BeforeRetry other = new BeforeRetry(() -> kit.store().claimAndApply(kit.altered(event), kit.credit()));
        DedupStore store = kit.store(dialect, builder -> quick(builder).listener(other));
        assertThatThrownBy(() -> store.claimAndApply(event, numbered())).isInstanceOf(PayloadConflictException.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r3_unreachableDatabaseIsACommitInDoubtAndNeverAcknowledged() {
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REPLY, FailureKind.CONNECTION);
        Event event = kit.event();
        DedupStore store = kit.store(
                dialect,
                builder -> builder.retry(
                                new RetryPolicy(3, Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(200)))
                        .listener(new BeforeRetry(() -> dialect.failAlways(Point.BEGIN, FailureKind.CONNECTION))));
        assertThatThrownBy(() -> store.claimAndApply(event, numbered()))
                .isInstanceOfSatisfying(
                        CommitInDoubtException.class,
                        doubt -> assertThat(doubt.disposition()).isEqualTo(Disposition.RETRY));
        // the next delivery finds out
        assertThat(kit.store().claimAndApply(event, numbered())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r3_secondCommitInDoubtIsResolvedToo() {
        FaultyDialect dialect = kit.faulty()
                .fail(Point.COMMIT_REQUEST, FailureKind.CONNECTION)
                .fail(Point.COMMIT_REPLY, FailureKind.CONNECTION);
        Event event = kit.event();
        Outcome<Integer> outcome = kit.store(dialect, InDoubtRules::quick).claimAndApply(event, numbered());
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Applied.class,
                        applied -> assertThat(applied.result()).isEqualTo(2));
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r3_unknownErrorOfACommitThatDidNotHappenIsNotRunAgain() {
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REQUEST, FailureKind.OTHER);
        Event event = kit.event();
        assertThatThrownBy(() -> kit.store(dialect, InDoubtRules::quick).claimAndApply(event, numbered()))
                .isInstanceOf(io.dedupstore.WorkFailedException.class);
        assertThat(runs).hasValue(1);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void e3_constraintThatFailsAtTheCommitIsNeitherInDoubtNorRetried() {
        FaultyDialect dialect = kit.faulty().fail(Point.COMMIT_REQUEST, FailureKind.CONSTRAINT);
        Event event = kit.event();
        assertThatThrownBy(() -> kit.store(dialect, InDoubtRules::quick).claimAndApply(event, numbered()))
                .isInstanceOf(io.dedupstore.WorkFailedException.class);
        assertThat(runs).hasValue(1);
        assertThat(dialect.claims()).isEqualTo(1);
        kit.assertNothingRemains(event, 0);
    }
}
