package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/** What this module's own tests share: a store on plain connections to one URL, and an account to credit. */
final class Scene {
    static final String CREDIT = "UPDATE account SET cents = cents + 1 WHERE id = 'a'";

    private final String url;
    private final DedupStore store;

    Scene(String url) {
        this(url, builder -> builder.lockWait(Duration.ofSeconds(20)));
    }

    Scene(String url, UnaryOperator<DedupStore.Builder> settings) {
        this.url = url;
        this.store = settings.apply(DedupStore.builder(source(url))).build();
    }

    /** Creates the tables that are missing. */
    Scene ready() {
        store.schema().create();
        execute("CREATE TABLE IF NOT EXISTS account (id text PRIMARY KEY, cents bigint NOT NULL)");
        execute("INSERT INTO account VALUES ('a', 0) ON CONFLICT DO NOTHING");
        return this;
    }

    DedupStore store() {
        return store;
    }

    String url() {
        return url;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    Connection transaction() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    static Event event() {
        return Event.of(EventKey.of("billing", "event-" + UUID.randomUUID()), PayloadHash.ofText("payload"));
    }

    static Event altered(Event event) {
        return Event.of(event.key(), PayloadHash.ofText("another payload"));
    }

    static Object credit(Handle tx) {
        return tx.execute(CREDIT);
    }

    long cents() {
        return number("SELECT cents FROM account WHERE id = 'a'");
    }

    long number(String sql) {
        try (Connection connection = connect()) {
            return Long.parseLong(value(connection, sql));
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    void awaitWaiting(int claims) {
        Waiting.until(claims + " claims wait", () -> {
            try (Connection connection = connect()) {
                return PostgresFixture.waitingClaims(connection) >= claims;
            }
        });
    }

    static <T> Future<T> async(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** A pool of nothing: each connection is new. */
    static DataSource source(String url) {
        return new DataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return DriverManager.getConnection(url);
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }

            @Override
            public PrintWriter getLogWriter() {
                return null;
            }

            @Override
            public void setLogWriter(PrintWriter out) {}

            @Override
            public void setLoginTimeout(int seconds) {}

            @Override
            public int getLoginTimeout() {
                return 0;
            }

            @Override
            public Logger getParentLogger() throws SQLFeatureNotSupportedException {
                throw new SQLFeatureNotSupportedException();
            }

            @Override
            public <T> T unwrap(Class<T> type) throws SQLException {
                throw new SQLException("wraps nothing");
            }

            @Override
            public boolean isWrapperFor(Class<?> type) {
                return false;
            }
        };
    }

    static String pid(Handle tx) throws SQLException {
        return value(tx.getConnection(), "SELECT pg_backend_pid()");
    }

    void awaitGone(String pid) {
        Waiting.until(
                "back end " + pid + " is gone",
                () -> number("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid) == 0);
    }

    void assertAppliedOnce(Event event, long centsBefore) {
        assertThat(store().find(event.key())).isPresent();
        assertThat(cents()).isEqualTo(centsBefore + 1);
    }
}
