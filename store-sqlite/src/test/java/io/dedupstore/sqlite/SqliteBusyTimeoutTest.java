package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A7: the user's {@code busy_timeout}, on the one connection of a pool. */
@Timeout(60)
class SqliteBusyTimeoutTest {
    private static final int USERS = 1234;

    @TempDir
    Path folder;

    private final Event event = Ledger.event("busy");
    private Ledger ledger;
    private HikariDataSource pool;
    private DedupStore store;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("busy.db"));
        HikariConfig config = new HikariConfig();
        config.setDataSource(ledger.source(settings -> settings.setBusyTimeout(USERS)));
        config.setMaximumPoolSize(1);
        pool = new HikariDataSource(config);
        store = DedupStore.builder(pool)
                .lockWait(Duration.ofMillis(50))
                .retry(RetryPolicy.none())
                .build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private static int busyTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA busy_timeout")) {
            return row.next() ? row.getInt(1) : -1;
        }
    }

    private void assertUnchanged() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(busyTimeout(connection)).isEqualTo(USERS);
        }
    }

    @Test
    void a7_ownedClaimsLeaveIt() throws SQLException {
        store.claimAndApply(event, Ledger::credit);
        assertUnchanged();
        store.claimAndApply(event, Ledger::credit);
        assertUnchanged();
        store.claimAndApply(event.redelivered(true), Ledger::credit);
        assertUnchanged();
        assertThat(catchThrowable(() -> store.claimAndApply(altered(), Ledger::credit)))
                .isInstanceOf(PayloadConflictException.class);
        assertUnchanged();
        assertThat(catchThrowable(() -> store.claimAndApply(Ledger.event("fails"), tx -> tx.execute("nonsense"))))
                .isInstanceOf(JdbiException.class);
        assertUnchanged();
    }

    /** As a pool's initial SQL does; the driver's own setting knows nothing of it. */
    @Test
    void a7_whatAPragmaHasSetIsLeftToo() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 54321");
        }
        store.claimAndApply(event, Ledger::credit);
        store.claimAndApply(event.redelivered(true), Ledger::credit);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            store.claim(connection, event);
            connection.rollback();
            assertThat(busyTimeout(connection)).isEqualTo(54321);
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private Event altered() {
        return Event.of(event.key(), PayloadHash.ofText("altered"));
    }

    @Test
    void a7_workWaitsAsTheUserSaid() throws SQLException {
        int[] seen = new int[1];
        store.<Object, SQLException>claimAndApply(event, tx -> {
            seen[0] = busyTimeout(tx.getConnection());
            return "";
        });
        assertThat(seen[0]).isEqualTo(USERS);
    }

    @Test
    void a7_aWaitThatReachedItsBoundLeavesIt() throws SQLException {
        try (Connection writer = ledger.connection();
                Statement statement = writer.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThat(catchThrowable(() -> store.claimAndApply(event, Ledger::credit)))
                    .isInstanceOf(ClaimInFlightException.class);
            assertUnchanged();
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                assertThat(catchThrowable(() -> store.claim(connection, event)))
                        .isInstanceOf(ClaimInFlightException.class);
                assertThat(busyTimeout(connection)).isEqualTo(USERS);
                connection.rollback();
            }
            statement.execute("ROLLBACK");
        }
    }

    @Test
    void a7_joinedClaimsLeaveIt() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(busyTimeout(connection)).isEqualTo(USERS);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(busyTimeout(connection)).isEqualTo(USERS);
            assertThat(catchThrowable(() -> store.claim(connection, altered())))
                    .isInstanceOf(PayloadConflictException.class);
            assertThat(busyTimeout(connection)).isEqualTo(USERS);
            connection.commit();
        }
        assertUnchanged();
    }
}
