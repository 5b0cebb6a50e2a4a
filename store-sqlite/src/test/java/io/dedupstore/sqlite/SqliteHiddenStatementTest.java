package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.RetryPolicy;
import io.dedupstore.StoreConfigurationException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteConfig.JournalMode;

/** What hides: a statement behind another, a trigger behind a claim, a writer behind a reader. */
@Timeout(60)
class SqliteHiddenStatementTest {
    @TempDir
    Path folder;

    private final Event event = Ledger.event("hidden");

    /** The driver carries out every statement of a text that it is given. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK", "END", "/* so */ commit"})
    void a3_endHiddenBehindAnotherStatementIsRefused(String end) throws SQLException {
        Ledger ledger = Ledger.create(folder.resolve("a.db"));
        Throwable caught = catchThrowable(() -> ledger.store().claimAndApply(event, tx -> {
            Ledger.credit(tx);
            try (Statement statement = tx.getConnection().createStatement()) {
                statement.executeUpdate("UPDATE account SET cents = cents; " + end);
            }
            return 0;
        }));
        assertThat(caught)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refused -> assertThat(refused.getSQLState()).isEqualTo("2D000"));
        ledger.assertNothingRemains(event);
    }

    @Test
    void s2_joinedClaimThatATriggerSwallowsIsAConfigurationError() throws SQLException {
        Ledger ledger = Ledger.create(folder.resolve("b.db"));
        ledger.execute("CREATE TRIGGER s BEFORE INSERT ON dedup_claim BEGIN SELECT RAISE(IGNORE); END");
        try (Connection connection = ledger.connection()) {
            connection.setAutoCommit(false);
            assertThat(catchThrowable(() -> ledger.store().claim(connection, event)))
                    .isInstanceOf(StoreConfigurationException.class);
            connection.rollback();
        }
    }

    @Test
    void s2_joinedClaimThatATemporaryTriggerSwallowsIsAConfigurationError() throws SQLException {
        Ledger ledger = Ledger.create(folder.resolve("d.db"));
        try (Connection connection = ledger.connection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TEMP TRIGGER s BEFORE INSERT ON main.dedup_claim BEGIN SELECT RAISE(IGNORE); END");
            connection.setAutoCommit(false);
            assertThat(catchThrowable(() -> ledger.store().claim(connection, event)))
                    .isInstanceOf(StoreConfigurationException.class);
            connection.rollback();
        }
    }

    @Test
    void w2_sharedCacheIsRefusedSinceItsWaitsCannotBeBounded() {
        org.sqlite.SQLiteDataSource source = new org.sqlite.SQLiteDataSource();
        source.setUrl("jdbc:sqlite:file:shared?mode=memory&cache=shared");
        assertThat(catchThrowable(() -> DedupStore.builder(source).build()))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("cache=shared");
    }

    /** With a rollback journal readers wait for a writer too: the look-up and the table's check must not add waits. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void w2_waitIsBoundedWithARollbackJournalToo(boolean redelivered) throws SQLException {
        Ledger ledger = Ledger.create(folder.resolve("c.db"), JournalMode.DELETE);
        HikariConfig config = new HikariConfig();
        config.setDataSource(ledger.source()); // a pool: the driver waits too when it opens a connection
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection writer = ledger.connection();
                Statement statement = writer.createStatement()) {
            DedupStore store = DedupStore.builder(pool)
                    .lockWait(Duration.ofMillis(400))
                    .retry(RetryPolicy.none())
                    .build();
            statement.execute("BEGIN EXCLUSIVE");
            Duration shortest = Duration.ofDays(1);
            for (int i = 0; i < 3; i++) {
                long asked = System.nanoTime();
                assertThat(catchThrowable(() -> store.claimAndApply(event.redelivered(redelivered), Ledger::credit)))
                        .isInstanceOf(ClaimInFlightException.class);
                Duration waited = Duration.ofNanos(System.nanoTime() - asked);
                shortest = waited.compareTo(shortest) < 0 ? waited : shortest;
            }
            statement.execute("ROLLBACK");
            assertThat(shortest).isBetween(Duration.ofMillis(390), Duration.ofMillis(650));
        }
        ledger.assertNothingRemains(event);
    }
}
