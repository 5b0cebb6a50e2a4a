package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.spi.FailureKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A6, A7, A8, and R1 for joined claims. */
abstract class JoinedRules extends Rules {
    JoinedRules(BackendFixture fixture) {
        super(fixture);
    }

    private void credit(Connection connection) throws SQLException {
        String sql = "UPDATE kit_account SET cents = cents + " + Kit.CREDIT + " WHERE id = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, kit.account());
            statement.executeUpdate();
        }
    }

    @Test
    void a6_autoCommitConnectionIsRefusedBeforeAnyRowIsWritten() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        try (Connection connection = kit.connection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThatThrownBy(() -> store.claim(connection, event))
                    .isInstanceOf(StoreConfigurationException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(store.find(event.key())).isEmpty();
    }

    @Test
    void a6_readOnlyTransactionIsRefusedBeforeAnyRowIsWritten() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        try (Connection connection = kit.fixture().readOnlyConnection()) {
            assertThatThrownBy(() -> store.claim(connection, event)).isInstanceOf(StoreConfigurationException.class);
            connection.rollback();
        }
        assertThat(store.find(event.key())).isEmpty();
    }

    @Test
    void a7_joinedClaimIsCommittedByTheCaller() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        try (Connection connection = kit.transaction()) {
            int isolation = connection.getTransactionIsolation();
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            credit(connection);
            assertThat(kit.store().find(event.key()))
                    .as("before the caller commits")
                    .isEmpty();
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
            connection.commit();
        }
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void a7_joinedClaimIsRolledBackByTheCaller() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        try (Connection connection = kit.transaction()) {
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            credit(connection);
            connection.rollback();
        }
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void a7_joinedClaimOnAHandle() {
        DedupStore store = kit.store();
        Event event = kit.event();
        kit.outside().useTransaction(handle -> {
            assertThat(store.claim(handle, event)).isInstanceOf(ClaimResult.Claimed.class);
            kit.creditNow(handle);
        });
        kit.outside()
                .useTransaction(
                        handle -> assertThat(store.claim(handle, event)).isInstanceOf(ClaimResult.Duplicate.class));
        assertThat(kit.credits()).isEqualTo(1);
    }

    @Test
    void a8_transactionIsUsableAfterADuplicate() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        store.claimAndApply(event, tx -> null);
        try (Connection connection = kit.transaction()) {
            credit(connection);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
            credit(connection);
            assertThat(store.claim(connection, kit.event())).isInstanceOf(ClaimResult.Claimed.class);
            connection.commit();
        }
        assertThat(kit.credits()).isEqualTo(2);
    }

    @Test
    void a8_transactionIsUsableAfterAConflict() throws Exception {
        DedupStore store = kit.store();
        Event event = kit.event();
        store.claimAndApply(event, tx -> null);
        try (Connection connection = kit.transaction()) {
            credit(connection);
            assertThatThrownBy(() -> store.claim(connection, kit.altered(event)))
                    .isInstanceOf(PayloadConflictException.class);
            credit(connection);
            connection.commit();
        }
        assertThat(kit.credits()).isEqualTo(2);
    }

    @Test
    void r1_joinedClaimGetsTheTransientErrorAtOnce() throws Exception {
        FaultyDialect dialect = kit.faulty().fail(FaultyDialect.Point.CLAIM, FailureKind.DEADLOCK);
        DedupStore store = kit.store(dialect, builder -> {});
        try (Connection connection = kit.transaction()) {
            assertThatThrownBy(() -> store.claim(connection, kit.event()))
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(TransientStoreException.Reason.DEADLOCK));
            connection.rollback();
        }
        assertThat(dialect.claims()).isEqualTo(1);
    }
}
