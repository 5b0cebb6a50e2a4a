package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.Event;
import io.dedupstore.Outcome;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The smallest pool: one connection, handed out as it was given back, so that whatever is left on it is seen. */
final class OneConnection implements DataSource, AutoCloseable {
    private final Connection physical;
    private int out;

    OneConnection(Connection physical) {
        this.physical = physical;
    }

    Connection physical() {
        return physical;
    }

    /** Given back, in the mode in which it was handed out, and without a lock: another session can write. */
    void requireAtRest(Kit kit, boolean autoCommit) throws SQLException {
        assertThat(out).as("connections handed out").isZero();
        assertThat(physical.getAutoCommit()).as("auto-commit").isEqualTo(autoCommit);
        Event event = kit.event();
        assertThat(kit.store(builder -> builder.lockWait(java.time.Duration.ofSeconds(2)))
                        .claimAndApply(event, tx -> null))
                .as("a claim of another session")
                .isInstanceOf(Outcome.Applied.class);
    }

    @Override
    public Connection getConnection() {
        assertThat(out).as("connections handed out").isZero();
        out++;
        return (Connection) Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    if (method.getName().equals("close")) {
                        out = 0;
                        return null;
                    }
                    try {
                        return method.invoke(physical, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    @Override
    public void close() throws SQLException {
        if (!physical.isClosed() && !physical.getAutoCommit()) {
            physical.rollback();
        }
        physical.close();
    }

    @Override
    public Connection getConnection(String username, String password) {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
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
}
