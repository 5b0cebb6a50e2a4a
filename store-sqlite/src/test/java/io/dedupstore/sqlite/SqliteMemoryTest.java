package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A memory database that belongs to the one connection of a pool, as in a user's own tests. */
@Timeout(60)
class SqliteMemoryTest {
    private final Event event = Ledger.event("memory");
    private HikariDataSource pool;
    private DedupStore store;

    @BeforeEach
    void create() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite::memory:");
        config.setMaximumPoolSize(1);
        pool = new HikariDataSource(config);
        store = DedupStore.builder(pool).build();
        store.schema().create();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id TEXT NOT NULL PRIMARY KEY, cents INTEGER NOT NULL)");
            statement.execute("INSERT INTO account VALUES ('a', 0)");
        }
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private long credits() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT cents FROM account")) {
            return row.getLong(1) / Ledger.CREDIT;
        }
    }

    @Test
    void c2_anEventIsAppliedOnce() throws SQLException {
        assertThat(store.claimAndApply(event, Ledger::credit)).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(event, Ledger::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(store.claimAndApply(event.redelivered(true), Ledger::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(store.find(event.key())).isPresent();
        assertThat(credits()).isEqualTo(1);
    }

    @Test
    void c3_anotherPayloadIsAConflict() {
        store.claimAndApply(event, Ledger::credit);
        Event altered = Event.of(event.key(), PayloadHash.ofText("altered"));
        assertThatThrownBy(() -> store.claimAndApply(altered, Ledger::credit))
                .isInstanceOf(PayloadConflictException.class);
    }

    @Test
    void a1_workThatThrowsLeavesNothing() throws SQLException {
        assertThatThrownBy(() -> store.claimAndApply(event, tx -> {
                    Ledger.credit(tx);
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.find(event.key())).isEmpty();
        assertThat(credits()).isZero();
        assertThat(store.claimAndApply(event, Ledger::credit)).isInstanceOf(Outcome.Applied.class);
    }

    @Test
    void a7_joinedClaimEndsWithTheCallersTransaction() throws SQLException {
        for (boolean commits : new boolean[] {false, true}) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            assertThat(store.find(event.key()).isPresent()).isEqualTo(commits);
        }
    }

    @Test
    void c1_threadsThatShareTheConnectionApplyEachEventOnce() throws Exception {
        List<CompletableFuture<Integer>> consumers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            consumers.add(CompletableFuture.supplyAsync(this::consume, task -> new Thread(task).start()));
        }
        int applied = 0;
        for (CompletableFuture<Integer> consumer : consumers) {
            applied += consumer.get(50, TimeUnit.SECONDS);
        }
        assertThat(applied).isEqualTo(25);
        assertThat(credits()).isEqualTo(25);
    }

    private int consume() {
        int applied = 0;
        for (int i = 0; i < 25; i++) {
            applied +=
                    store.claimAndApply(Ledger.event("shared-" + i), Ledger::credit) instanceof Outcome.Applied ? 1 : 0;
        }
        return applied;
    }
}
