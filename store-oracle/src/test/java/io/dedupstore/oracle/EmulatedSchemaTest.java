package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Owners, grants and what stands between the store and its table. Emulated; not yet run on Oracle. */
@Tag(Tally.EMULATOR)
@Timeout(60)
class EmulatedSchemaTest extends EmulatedScene {
    @Test
    void s3_ownerIsConfigurable() throws SQLException {
        run("CREATE SCHEMA shop");
        EmulatedStatement.know(new OracleSql(TableName.of("shop.order")));
        DedupStore shop = DedupStore.builder(oracle).table("shop.order").build();
        Event event = event();
        assertThatThrownBy(() -> shop.claimAndApply(event, tx -> null))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("SHOP");
        shop.schema().create();
        assertThat(shop.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
        assertThat(shop.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(store.find(event.key())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"all_triggers, ENABLED, trigger", "all_policies, YES, policy"})
    void s2_whatStandsInBetween(String view, String state, String said) throws SQLException {
        run("INSERT INTO " + view + " VALUES ('PUBLIC', 'DEDUP_CLAIM', '" + state + "')");
        assertThatThrownBy(() -> store.schema().validate())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining(said);
    }

    @Test
    void e5_missingGrantOnDbmsLockSaysWhatToRun() throws SQLException {
        run("DELETE FROM all_procedures");
        DedupStore locking = DedupStore.builder(oracle)
                .dialect(OracleDialectProvider.withDbmsLock(TABLE))
                .build();
        assertThatThrownBy(() -> locking.claimAndApply(event(), tx -> null))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("GRANT EXECUTE ON SYS.DBMS_LOCK");
    }

    @Test
    void w2_storeWithTheLockWaitsForOneWithout() throws Exception {
        DedupStore locking = DedupStore.builder(oracle)
                .dialect(OracleDialectProvider.withDbmsLock(TABLE))
                .lockWait(Duration.ofSeconds(1))
                .build();
        Event event = event();
        try (Connection holder = transaction()) {
            store.claim(holder, event);
            CompletableFuture<Object> waiter =
                    CompletableFuture.supplyAsync(() -> locking.claimAndApply(event, tx -> null));
            assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ClaimInFlightException.class);
            holder.rollback();
        }
        assertThat(locking.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
    }

    @Test
    void p1_purgesStatementTakesTheOldOnesByTheDatabasesClockInUtc() throws SQLException {
        Event old = event();
        Event fresh = event();
        store.claimAndApply(old, tx -> null);
        store.claimAndApply(fresh, tx -> null);
        try (Connection connection = transaction()) {
            try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeUpdate("UPDATE dedup_claim SET claimed_at = claimed_at - INTERVAL '2' HOUR"
                                + " WHERE event_id = '" + old.key().eventId() + "'"))
                        .isEqualTo(1);
            }
            try (PreparedStatement purge = connection.prepareStatement(new OracleSql(TABLE).purge())) {
                purge.setLong(1, 3600);
                purge.setInt(2, 100);
                assertThat(purge.executeUpdate()).isEqualTo(1);
            }
            connection.commit();
        }
        assertThat(store.find(old.key())).isEmpty();
        assertThat(store.find(fresh.key())).isPresent();
    }
}
