package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.InvalidEventException;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.tck.FaultyDialect.Point;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** D. */
abstract class DispositionRules extends Rules {
    DispositionRules(BackendFixture fixture) {
        super(fixture);
    }

    /** Notes what it is told. */
    static final class Notes implements DedupListener {
        final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void applied(Event event, UUID claimId, Duration took) {
            told.add("applied");
        }

        @Override
        public void duplicate(Event event, Claim stored) {
            told.add("duplicate");
        }

        @Override
        public void conflict(Event event, PayloadConflictException conflict) {
            told.add("conflict");
        }

        @Override
        public void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {
            told.add("retry " + failedAttempts);
        }

        @Override
        public void inDoubt(Event event, UUID claimId) {
            told.add("in doubt");
        }

        @Override
        public void failed(Event event, Throwable failure, Disposition disposition) {
            told.add(failure.getClass().getSimpleName() + " " + disposition);
        }
    }

    @Test
    void d0_appliedAndDuplicateAreAcknowledgedAndAConflictIsQuarantined() {
        Notes notes = new Notes();
        DedupStore store = kit.store(builder -> builder.listener(notes));
        Event event = kit.event();
        assertThat(store.consume(event, kit.credit())).isEqualTo(Disposition.ACK);
        assertThat(store.consume(event, kit.credit())).isEqualTo(Disposition.ACK);
        assertThat(store.consume(event.redelivered(true), kit.credit())).isEqualTo(Disposition.ACK);
        assertThat(store.consume(kit.altered(event), kit.credit())).isEqualTo(Disposition.QUARANTINE);
        assertThat(store.consume(kit.altered(event.redelivered(true)), kit.credit()))
                .isEqualTo(Disposition.QUARANTINE);
        String conflict = "PayloadConflictException QUARANTINE";
        assertThat(notes.told)
                .containsExactly("applied", "duplicate", "duplicate", "conflict", conflict, "conflict", conflict);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void d0_workThatFailsIsRetriedUnlessTheRuleSaysOtherwise() {
        DedupStore store = kit.store(builder -> builder.permanentFailure(IOException.class::isInstance));
        Event event = kit.event();
        assertThat(store.consume(event, tx -> {
                    throw new IllegalStateException();
                }))
                .isEqualTo(Disposition.RETRY);
        assertThat(store.consume(event, tx -> {
                    throw new IOException();
                }))
                .isEqualTo(Disposition.QUARANTINE);
        assertThat(store.consume(event, tx -> {
                    throw new StackOverflowError();
                }))
                .isEqualTo(Disposition.RETRY);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void d0_ruleThatFailsItselfRetries() {
        DedupStore store = kit.store(builder -> builder.permanentFailure(failure -> {
            throw new IllegalStateException("the rule");
        }));
        assertThat(store.consume(kit.event(), tx -> {
                    throw new IOException();
                }))
                .isEqualTo(Disposition.RETRY);
    }

    @Test
    void d0_interruptedWorkIsRetriedAndTheFlagStaysSet() {
        Event event = kit.event();
        Disposition disposition = kit.store().consume(event, tx -> {
            throw new InterruptedException();
        });
        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(disposition).isEqualTo(Disposition.RETRY);
        kit.assertNothingRemains(event, 0);
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void d0_whateverTheDatabaseReportsIsNeverAcknowledged(FailureKind kind) {
        for (Point point : new Point[] {Point.BEGIN, Point.CLAIM, Point.CLAIM_ANSWER}) {
            FaultyDialect dialect = kit.faulty().failAlways(point, kind);
            DedupStore store = kit.store(dialect, builder -> builder.retry(RetryPolicy.none()));
            Event event = kit.event();
            assertThat(store.consume(event, kit.credit())).isEqualTo(Disposition.RETRY);
            kit.assertNothingRemains(event, kit.credits());
        }
    }

    @Test
    void d0_unknownHashSchemeIsQuarantined() {
        DedupStore store = kit.store();
        EventKey key = kit.key();
        store.consume(Event.of(key, PayloadHash.of("old-scheme", new byte[32])), kit.credit());
        assertThat(store.consume(kit.event(key, "payload"), kit.credit())).isEqualTo(Disposition.QUARANTINE);
    }

    @Test
    void d0_claimInFlightIsRetried() throws Exception {
        Event event = kit.event();
        Holder holder = new Holder(kit, kit.store(), event);
        DedupStore impatient = kit.store(builder -> builder.lockWait(Duration.ofMillis(50)));
        assertThat(impatient.consume(event, kit.credit())).isEqualTo(Disposition.RETRY);
        holder.commit();
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void d0_configurationErrorIsRetriedAndTheListenerTold() {
        Notes notes = new Notes();
        FaultyDialect dialect = kit.faulty().failAlways(Point.CLAIM, FailureKind.CONFIGURATION);
        DedupStore store = kit.store(dialect, builder -> builder.listener(notes));
        assertThat(store.consume(kit.event(), kit.credit())).isEqualTo(Disposition.RETRY);
        assertThat(notes.told).containsExactly("StoreConfigurationException RETRY");
    }

    @Test
    void d0_listenerIsToldOfRetriesAndDoubt() {
        Notes notes = new Notes();
        FaultyDialect dialect =
                kit.faulty().fail(Point.CLAIM, FailureKind.DEADLOCK).fail(Point.COMMIT_REPLY, FailureKind.CONNECTION);
        kit.store(dialect, builder -> builder.listener(notes)).consume(kit.event(), kit.credit());
        assertThat(notes.told).containsExactly("retry 1", "in doubt", "retry 2", "applied");
    }

    @Test
    void d0_listenerThatFailsChangesNothing() {
        DedupListener failing = new DedupListener() {
            @Override
            public void applied(Event event, UUID claimId, Duration took) {
                throw new IllegalStateException("the listener");
            }

            @Override
            public void lockWait(Event event, Duration waited) {
                throw new IllegalStateException("the listener");
            }
        };
        DedupStore store = kit.store(builder -> builder.listener(failing));
        assertThat(store.consume(kit.event(), kit.credit())).isEqualTo(Disposition.ACK);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void d0_dispositionOfAFailureWithoutAStore() {
        assertThat(Disposition.of(new IllegalStateException())).isEqualTo(Disposition.RETRY);
        assertThat(Disposition.of(new StoreConfigurationException("x"))).isEqualTo(Disposition.RETRY);
        assertThat(Disposition.of(new InvalidEventException("x"))).isEqualTo(Disposition.QUARANTINE);
        assertThatThrownBy(() -> EventKey.of("c", "")).isInstanceOfSatisfying(InvalidEventException.class, invalid -> {
            assertThat(invalid.disposition()).isEqualTo(Disposition.QUARANTINE);
        });
    }
}
