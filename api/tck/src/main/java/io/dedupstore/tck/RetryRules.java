package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.tck.FaultyDialect.InjectedFault;
import io.dedupstore.tck.FaultyDialect.Point;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** R1, R2, R4. */
abstract class RetryRules extends Rules {
    private static final RetryPolicy QUICK = RetryPolicy.defaults()
            .withAttempts(4)
            .withPauses(Duration.ofMillis(1), Duration.ofMillis(2))
            .withDeadline(Duration.ofSeconds(20));

    RetryRules(BackendFixture fixture) {
        super(fixture);
    }

    private static DedupStore.Builder quick(DedupStore.Builder builder) {
        return builder.retry(QUICK);
    }

    static Stream<Arguments> retriedFaults() {
        List<FailureKind> kinds = List.of(
                FailureKind.DEADLOCK,
                FailureKind.SERIALIZATION,
                FailureKind.BUSY,
                FailureKind.CONNECTION,
                FailureKind.READ_ONLY,
                FailureKind.TIMEOUT);
        return Stream.of(Point.BEGIN, Point.CLAIM, Point.CLAIM_ANSWER, Point.COMMIT_REQUEST)
                .flatMap(point -> kinds.stream().map(kind -> Arguments.of(point, kind)));
    }

    @ParameterizedTest
    @MethodSource("retriedFaults")
    void r1_transientFailureRunsTheWholeTransactionAgain(Point point, FailureKind kind) {
        FaultyDialect dialect = kit.faulty().fail(point, kind, kind);
        Event event = kit.event();
        assertThat(kit.store(dialect, RetryRules::quick).claimAndApply(event, kit.credit()))
                .isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(1);
        assertThat(kit.store().claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
    }

    @Test
    void r1_lookUpOfARedeliveredEventIsRetriedToo() {
        FaultyDialect dialect = kit.faulty().fail(Point.FIND, FailureKind.CONNECTION);
        Event event = kit.event().redelivered(true);
        DedupStore store = kit.store(dialect, RetryRules::quick);
        store.schema().validate(); // only a table that is known to be fit is looked up in
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(dialect.looks()).isEqualTo(1);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r1_lookUpThatWouldWaitIsLeftOut() {
        FaultyDialect dialect = kit.faulty().failAlways(Point.FIND, FailureKind.LOCK_TIMEOUT);
        Event event = kit.event().redelivered(true);
        DedupStore store = kit.store(dialect, RetryRules::quick);
        store.schema().validate();
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(dialect.looks()).isEqualTo(2);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r1_attemptsAreBoundedAndEarlierFailuresSuppressed() {
        FaultyDialect dialect = kit.faulty().failAlways(Point.CLAIM, FailureKind.DEADLOCK);
        Event event = kit.event();
        assertThatThrownBy(() -> kit.store(dialect, RetryRules::quick).claimAndApply(event, kit.credit()))
                .isInstanceOfSatisfying(TransientStoreException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(TransientStoreException.Reason.DEADLOCK);
                    assertThat(failure.getSuppressed()).hasSize(QUICK.attempts() - 1);
                });
        assertThat(dialect.claims()).isEqualTo(QUICK.attempts());
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void r1_totalTimeIsBoundedByTheDeadline() {
        FaultyDialect dialect = kit.faulty().failAlways(Point.CLAIM, FailureKind.BUSY);
        RetryPolicy endless =
                new RetryPolicy(Integer.MAX_VALUE, Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofMillis(300));
        long start = System.nanoTime();
        assertThatThrownBy(() ->
                        kit.store(dialect, builder -> builder.retry(endless)).claimAndApply(kit.event(), kit.credit()))
                .isInstanceOf(TransientStoreException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertThat(dialect.claims()).isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESOURCES", "CONSTRAINT", "CONFIGURATION", "OTHER"})
    void r1_otherFailuresAreNotRetried(FailureKind kind) {
        FaultyDialect dialect = kit.faulty().failAlways(Point.CLAIM, kind);
        Event event = kit.event();
        assertThatThrownBy(() -> kit.store(dialect, RetryRules::quick).claimAndApply(event, kit.credit()))
                .isInstanceOf(io.dedupstore.DedupException.class);
        assertThat(dialect.claims()).isEqualTo(1);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void r1_waitBoundIsNotRetried() {
        FaultyDialect dialect = kit.faulty().failAlways(Point.CLAIM, FailureKind.LOCK_TIMEOUT);
        assertThatThrownBy(() -> kit.store(dialect, RetryRules::quick).claimAndApply(kit.event(), kit.credit()))
                .isInstanceOf(io.dedupstore.ClaimInFlightException.class);
        assertThat(dialect.claims()).isEqualTo(1);
    }

    @Test
    void r2_workThatMetADeadlockRunsAgainAndIsCommittedOnce() {
        FaultyDialect dialect = kit.faulty();
        AtomicInteger runs = new AtomicInteger();
        Event event = kit.event();
        Outcome<Integer> outcome = kit.store(dialect, RetryRules::quick).claimAndApply(event, tx -> {
            kit.creditNow(tx);
            if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException(new InjectedFault(FailureKind.DEADLOCK));
            }
            return runs.get();
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Applied.class,
                        applied -> assertThat(applied.result()).isEqualTo(3));
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void r2_workThatKeepsMeetingDeadlocksGivesItsCallerItsOwnException() {
        FaultyDialect dialect = kit.faulty();
        IllegalStateException thrown = new IllegalStateException(new InjectedFault(FailureKind.DEADLOCK));
        AtomicInteger runs = new AtomicInteger();
        Throwable caught =
                catchThrowable(() -> kit.store(dialect, RetryRules::quick).claimAndApply(kit.event(), tx -> {
                    runs.incrementAndGet();
                    throw thrown;
                }));
        assertThat(caught).isSameAs(thrown);
        assertThat(runs).hasValue(QUICK.attempts());
    }

    @Test
    void r4_interruptEndsTheRetriesAtOnceAndStaysSet() {
        FaultyDialect dialect = kit.faulty().failAlways(Point.CLAIM, FailureKind.BUSY);
        RetryPolicy slow = RetryPolicy.defaults()
                .withPauses(Duration.ofHours(1), Duration.ofHours(1))
                .withDeadline(Duration.ofDays(1));
        DedupListener interrupting = new DedupListener() {
            @Override
            public void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {
                Thread.currentThread().interrupt();
            }
        };
        DedupStore store = kit.store(dialect, builder -> builder.retry(slow).listener(interrupting));
        Throwable caught = catchThrowable(() -> store.claimAndApply(kit.event(), kit.credit()));
        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(caught).isInstanceOf(TransientStoreException.class);
        assertThat(dialect.claims()).isEqualTo(1);
    }

    @Test
    void r4_workThatInterruptsItsThreadIsStillCommitted() {
        Event event = kit.event();
        Outcome<Long> outcome = kit.store().claimAndApply(event, tx -> {
            long credits = kit.credit().withHandle(tx);
            Thread.currentThread().interrupt();
            return credits;
        });
        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(1);
    }
}
