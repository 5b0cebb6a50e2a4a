package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.Claim;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C1, C2, C3, C7. */
abstract class ClaimingRules extends Rules {
    ClaimingRules(BackendFixture fixture) {
        super(fixture);
    }

    @Test
    void c1_freshKeyIsClaimedAndItsWorkCommittedWithIt() {
        DedupStore store = kit.store();
        Event event = kit.event();
        Outcome<Long> outcome = store.claimAndApply(event, kit.credit());
        Claim stored = store.find(event.key()).orElseThrow();
        assertThat(outcome).isEqualTo(new Outcome.Applied<>(stored.claimId(), 1L));
        assertThat(stored.key()).isEqualTo(event.key());
        assertThat(stored.hash()).isEqualTo(event.hash());
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c1_claimIsDatedByTheDatabaseInUtc() {
        DedupStore store = kit.store();
        Event event = kit.event();
        store.claimAndApply(event, kit.credit());
        // the smallest offset of a time zone is 15 minutes: a claim dated in another zone is further off
        assertThat(store.find(event.key()).orElseThrow().claimedAt())
                .isBetween(Instant.now().minusSeconds(300), Instant.now().plusSeconds(300));
    }

    @Test
    void c1_workMayReturnNull() {
        Event event = kit.event();
        Outcome<String> outcome = kit.store().claimAndApply(event, tx -> null);
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(((Outcome.Applied<String>) outcome).result()).isNull();
        assertThat(kit.store().find(event.key())).isPresent();
    }

    @Test
    void c1_firstAttemptThatFailedDoesNotMakeTheRedeliveryADuplicate() {
        FaultyDialect dialect =
                kit.faulty().fail(FaultyDialect.Point.CLAIM_ANSWER, io.dedupstore.spi.FailureKind.RESOURCES);
        DedupStore store = kit.store(dialect, builder -> {});
        Event event = kit.event();
        assertThatThrownBy(() -> store.claimAndApply(event, kit.credit()))
                .isInstanceOf(io.dedupstore.TransientStoreException.class);
        assertThat(store.claimAndApply(event.redelivered(true), kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c1_storeOnAJdbiGivesTheWorkItsMappers() {
        Jdbi jdbi = Jdbi.create(kit.fixture().dataSource());
        jdbi.registerColumnMapper(Holder.class, (row, column, context) -> {
            throw new java.sql.SQLException("no such column");
        });
        DedupStore store = kit.fixture().build(DedupStore.builder(jdbi));
        Event event = kit.event();
        Outcome<Boolean> outcome = store.claimAndApply(event, tx -> {
            kit.creditNow(tx);
            return tx.getConfig(org.jdbi.v3.core.mapper.ColumnMappers.class)
                    .findFor(Holder.class)
                    .isPresent();
        });
        assertThat(((Outcome.Applied<Boolean>) outcome).result()).isTrue();
        assertThat(kit.credits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void c2_sameKeySamePayloadIsADuplicateAndChangesNothing(boolean redelivered) {
        DedupStore store = kit.store();
        Event event = kit.event().redelivered(redelivered);
        store.claimAndApply(event, kit.credit());
        Claim stored = store.find(event.key()).orElseThrow();
        AtomicInteger runs = new AtomicInteger();
        for (int again = 0; again < 3; again++) {
            assertThat(store.claimAndApply(event, tx -> runs.incrementAndGet()))
                    .isEqualTo(new Outcome.Duplicate<>(stored));
        }
        assertThat(runs).hasValue(0);
        assertThat(store.find(event.key())).contains(stored);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c2_redeliveredIsOnlyAHint() {
        DedupStore store = kit.store();
        Event event = kit.event().redelivered(true);
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(event.redelivered(false), kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c2_sameEventOfAnotherConsumerOrTenantIsApplied() {
        DedupStore store = kit.store();
        Event event = kit.event();
        String id = event.key().eventId();
        store.claimAndApply(event, kit.credit());
        Event other = kit.event(io.dedupstore.EventKey.of("another consumer", id), "payload");
        Event tenant = kit.event(
                io.dedupstore.EventKey.of("another tenant", event.key().consumer(), id), "payload");
        assertThat(store.claimAndApply(other, kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(tenant, kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(kit.credits()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void c3_sameIdOtherPayloadIsAConflict(boolean redelivered) {
        DedupStore store = kit.store();
        Event event = kit.event().redelivered(redelivered);
        store.claimAndApply(event, kit.credit());
        Claim stored = store.find(event.key()).orElseThrow();
        Event altered = kit.altered(event);
        assertThatThrownBy(() -> store.claimAndApply(altered, kit.credit()))
                .isInstanceOfSatisfying(PayloadConflictException.class, conflict -> {
                    assertThat(conflict.stored()).isEqualTo(stored);
                    assertThat(conflict.received()).isEqualTo(altered.hash());
                });
        assertThat(kit.credits()).isEqualTo(1);
        assertThat(store.find(event.key())).contains(stored);
    }

    @Test
    void c3_joinedClaimWithOtherPayloadIsAConflict() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        store.claimAndApply(event, kit.credit());
        try (Connection connection = kit.transaction()) {
            assertThatThrownBy(() -> store.claim(connection, kit.altered(event)))
                    .isInstanceOf(PayloadConflictException.class);
            connection.rollback();
        }
    }

    @Test
    void c7_secondClaimInOneTransactionIsADuplicate() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        try (Connection connection = kit.transaction()) {
            ClaimResult first = store.claim(connection, event);
            ClaimResult second = store.claim(connection, event);
            assertThat(first).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(second)
                    .isInstanceOfSatisfying(
                            ClaimResult.Duplicate.class,
                            duplicate -> assertThat(duplicate.stored().claimId())
                                    .isEqualTo(((ClaimResult.Claimed) first).claimId()));
            assertThatThrownBy(() -> store.claim(connection, kit.altered(event)))
                    .isInstanceOf(PayloadConflictException.class);
            connection.commit();
        }
        assertThat(store.find(event.key())).isPresent();
    }

    @Test
    void c7_severalKeysAreClaimedInOneTransaction() throws Exception {
        DedupStore store = kit.store();
        Event joined = kit.event();
        Event another = kit.event();
        Event owned = kit.event();
        store.claimAndApply(owned, tx -> {
            assertThat(store.claim(tx, joined)).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.claim(tx, another)).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.claim(tx, owned)).isInstanceOf(ClaimResult.Duplicate.class);
            return kit.credit().withHandle(tx);
        });
        for (Event event : new Event[] {joined, another, owned}) {
            assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        }
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void c7_claimUndoneBySavepointIsFreeAgain() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        try (Connection connection = kit.transaction()) {
            store.claim(connection, kit.event());
            Savepoint before = connection.setSavepoint("before_claim");
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            connection.rollback(before);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            connection.commit();
        }
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.credits()).isZero();
    }

    @Test
    void c7_manyConsumersOfOneEventApplyItOnce() throws Exception {
        DedupStore store = kit.store(builder -> builder.lockWait(Duration.ofSeconds(30)));
        Event event = kit.event();
        java.util.List<java.util.concurrent.Future<Outcome<Long>>> consumers = new java.util.ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Event delivery = event.redelivered(i % 2 == 0);
            consumers.add(kit.async(() -> store.claimAndApply(delivery, kit.credit())));
        }
        int applied = 0;
        for (java.util.concurrent.Future<Outcome<Long>> consumer : consumers) {
            applied += Kit.get(consumer) instanceof Outcome.Applied ? 1 : 0;
        }
        assertThat(applied).isEqualTo(1);
        assertThat(kit.credits()).isEqualTo(1);
    }
}
