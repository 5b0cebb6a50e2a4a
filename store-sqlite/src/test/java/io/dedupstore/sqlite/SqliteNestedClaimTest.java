package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owned claim within the work of another: on the same file it would wait for itself. */
@Timeout(60)
class SqliteNestedClaimTest {
    @TempDir
    Path folder;

    private final Event outer = Ledger.event("outer");
    private final Event inner = Ledger.event("inner");
    private Ledger ledger;
    private DedupStore store;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("nested.db"));
        store = ledger.store(builder -> builder.lockWait(Duration.ofSeconds(40)));
    }

    private void assertRefusedAtOnce(DedupStore nested) throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        long asked = System.nanoTime();
        Throwable caught = catchThrowable(() -> store.claimAndApply(outer, tx -> {
            runs.incrementAndGet();
            Ledger.credit(tx);
            return nested.claimAndApply(inner, Ledger::credit);
        }));
        assertThat(caught)
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("store.claim(handle, event)");
        assertThat(System.nanoTime() - asked).isLessThan(TimeUnit.SECONDS.toNanos(20));
        assertThat(runs).hasValue(1);
        assertThat(store.find(inner.key())).isEmpty();
        ledger.assertNothingRemains(outer);
    }

    @Test
    void a3_onTheSameStoreItIsRefusedAtOnceAndNothingIsKept() throws SQLException {
        assertRefusedAtOnce(store);
    }

    @Test
    void a3_onTheSameFileUnderAnotherNameItIsRefusedToo() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), ledger.file());
        assertRefusedAtOnce(Ledger.open(link).store());
    }

    @Test
    void d0_consumedWithinTheWorkItIsRetriedAndTheOuterOneApplied() throws SQLException {
        Disposition[] seen = new Disposition[1];
        Outcome<Long> outcome = store.claimAndApply(outer, tx -> {
            seen[0] = store.consume(inner, Ledger::credit);
            return Ledger.credit(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(seen[0]).isEqualTo(Disposition.RETRY);
        assertThat(ledger.credits()).isEqualTo(1);
        ledger.assertNothingRemains(inner, 1);
    }

    @Test
    void c7_joinedWithinTheWorkBothAreAppliedTogether() throws SQLException {
        store.claimAndApply(outer, tx -> {
            assertThat(store.claim(tx, inner)).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.claim(tx, outer)).isInstanceOf(ClaimResult.Duplicate.class);
            return Ledger.credit(tx);
        });
        assertThat(store.claimAndApply(inner, Ledger::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(ledger.claims()).isEqualTo(2);
        assertThat(ledger.credits()).isEqualTo(1);
    }

    @Test
    void c1_onAnotherFileItIsAnOwnTransaction() throws SQLException {
        Ledger other = Ledger.create(folder.resolve("other.db"));
        Throwable caught = catchThrowable(() -> store.claimAndApply(outer, tx -> {
            Ledger.credit(tx);
            assertThat(other.store().claimAndApply(inner, Ledger::credit)).isInstanceOf(Outcome.Applied.class);
            throw new IllegalStateException("after the inner commit");
        }));
        assertThat(caught).isInstanceOf(IllegalStateException.class);
        assertThat(other.credits()).isEqualTo(1);
        ledger.assertNothingRemains(outer);
    }

    @Test
    void c2_lookingUpWithinTheWorkIsNoTransaction() throws SQLException {
        store.claimAndApply(inner, Ledger::credit);
        store.claimAndApply(outer, tx -> {
            assertThat(store.find(inner.key())).isPresent();
            assertThat(store.find(outer.key())).as("not committed yet").isEmpty();
            assertThat(store.claimAndApply(inner.redelivered(true), Ledger::credit))
                    .isInstanceOf(Outcome.Duplicate.class);
            return Ledger.credit(tx);
        });
        assertThat(ledger.credits()).isEqualTo(2);
    }
}
