package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work's prepared statements are kept for the next work on the connection, which must not notice. */
class SqliteWorkStatementTest {
    private static final String ADD = "UPDATE account SET cents = cents + ? WHERE id = 'a'";
    private static final String READ = "SELECT id FROM account WHERE cents >= ? ORDER BY id";

    @TempDir
    Path folder;

    private final AtomicInteger events = new AtomicInteger();
    private Ledger ledger;
    private HikariDataSource pool;
    private DedupStore store;

    @BeforeEach
    void open() throws SQLException {
        ledger = Ledger.create(folder.resolve("a.db"));
        ledger.execute("INSERT INTO account VALUES ('b', 7), ('c', 8)");
        HikariConfig config = new HikariConfig();
        config.setDataSource(ledger.source());
        config.setMaximumPoolSize(1);
        pool = new HikariDataSource(config);
        store = DedupStore.builder(pool).build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private <R> R inWork(HandleCallback<R, SQLException> work) throws SQLException {
        Outcome<R> outcome = store.claimAndApply(Ledger.event("e" + events.incrementAndGet()), work);
        return ((Outcome.Applied<R>) outcome).result();
    }

    private static PreparedStatement prepare(Handle tx, String sql) throws SQLException {
        return tx.getConnection().prepareStatement(sql);
    }

    @Test
    void c1_sameStatementRunsInEachWork() throws SQLException {
        for (int i = 1; i <= 3; i++) {
            int cents = i;
            inWork(tx -> tx.execute(ADD, cents));
            assertThat(ledger.number("SELECT cents FROM account WHERE id = 'a'"))
                    .isEqualTo(i * (i + 1) / 2);
        }
    }

    @Test
    void c1_boundValuesAreGoneForTheNextWork() throws SQLException {
        String sql = "UPDATE account SET cents = coalesce(?, -1) WHERE id = 'a'";
        for (Long expected : new Long[] {41L, -1L}) {
            inWork(tx -> {
                try (PreparedStatement statement = prepare(tx, sql)) {
                    if (expected > 0) {
                        statement.setLong(1, expected);
                    }
                    return statement.executeUpdate();
                }
            });
            assertThat(ledger.number("SELECT cents FROM account WHERE id = 'a'"))
                    .isEqualTo(expected);
        }
    }

    @Test
    void c1_limitOfRowsIsGoneForTheNextWork() throws SQLException {
        for (int limit : new int[] {1, 0}) {
            int rows = inWork(tx -> {
                try (PreparedStatement statement = prepare(tx, READ)) {
                    if (limit > 0) {
                        statement.setMaxRows(limit);
                    }
                    statement.setLong(1, 7);
                    return count(statement);
                }
            });
            assertThat(rows).isEqualTo(limit == 0 ? 2 : limit);
        }
    }

    @Test
    void c1_sameTextTwiceAtATimeIsTwoStatements() throws SQLException {
        for (int i = 0; i < 2; i++) {
            String ids = inWork(tx -> {
                try (PreparedStatement outer = prepare(tx, READ);
                        PreparedStatement inner = prepare(tx, READ)) {
                    outer.setLong(1, 7);
                    inner.setLong(1, 8);
                    try (ResultSet first = outer.executeQuery()) {
                        first.next();
                        String ids0 = first.getString(1) + count(inner);
                        first.next();
                        return ids0 + first.getString(1);
                    }
                }
            });
            assertThat(ids).isEqualTo("b1c");
        }
    }

    @Test
    void c1_halfReadRowsAreNotThereForTheNextWork() throws SQLException {
        for (int i = 0; i < 2; i++) {
            String first = inWork(tx -> {
                try (PreparedStatement statement = prepare(tx, READ)) {
                    statement.setLong(1, 7);
                    ResultSet rows = statement.executeQuery();
                    rows.next();
                    return rows.getString(1);
                }
            });
            assertThat(first).isEqualTo("b");
        }
    }

    @Test
    void c1_statementThatFailedIsNotKept() throws SQLException {
        String sql = "INSERT INTO account VALUES (?, 1)";
        for (String id : new String[] {"b", "d"}) {
            inWork(tx -> {
                try (PreparedStatement statement = prepare(tx, sql)) {
                    statement.setString(1, id);
                    return statement.executeUpdate();
                } catch (SQLException handled) {
                    return 0;
                }
            });
        }
        assertThat(ledger.number("SELECT count(*) FROM account WHERE id = 'd'")).isEqualTo(1);
    }

    @Test
    void c1_closedStatementIsClosedForWhoKeepsIt() throws SQLException {
        AtomicReference<PreparedStatement> kept = new AtomicReference<>();
        inWork(tx -> {
            PreparedStatement statement = prepare(tx, ADD);
            kept.set(statement);
            statement.close();
            statement.close();
            assertThat(statement.isClosed()).isTrue();
            return 0;
        });
        assertThatThrownBy(() -> kept.get().setLong(1, 1)).isInstanceOf(SQLException.class);
    }

    /** SQLite is busy at once at a COMMIT beside a statement that has not ended. */
    @Test
    void e4_unreadReturningDoesNotHinderTheCommit() throws SQLException {
        inWork(tx -> {
            ResultSet unread =
                    prepare(tx, "UPDATE account SET cents = 9 RETURNING id").executeQuery();
            return unread.next();
        });
        assertThat(ledger.number("SELECT count(*) FROM account WHERE cents = 9"))
                .isEqualTo(3);
    }

    @Test
    void c1_workOfManyTextsDoesNotPileUpStatements() throws SQLException {
        for (int i = 0; i < 200; i++) {
            int number = i;
            inWork(tx -> tx.execute("UPDATE account SET cents = " + number + " WHERE id = ?", "a"));
        }
        try (Connection connection = pool.getConnection()) {
            assertThat(Statements.kept(connection.unwrap(org.sqlite.SQLiteConnection.class)))
                    .isBetween(60, 64);
        }
    }

    private static int count(PreparedStatement statement) throws SQLException {
        int count = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
