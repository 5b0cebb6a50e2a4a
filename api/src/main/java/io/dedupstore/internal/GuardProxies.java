package io.dedupstore.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC objects that the work gets. They tell the guard, and keep inside it whatever leads back to the connection.
 *
 * <p>Proxies instead of written-out wrappers: java.sql grows default methods, and a wrapper that does not know one would
 * hide the driver's. A call through a proxy costs some ten nanoseconds, a statement at least some ten microseconds; the
 * claim's own statements do not pass here.
 */
final class GuardProxies {
    private final ConnectionGuard guard;
    private final Connection connection;

    GuardProxies(ConnectionGuard guard) {
        this.guard = guard;
        this.connection = proxyOf(Connection.class, new OnConnection(guard));
    }

    Connection connection() {
        return connection;
    }

    private static <T> T proxyOf(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(GuardProxies.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object watched(@Nullable Object statement) {
        if (statement instanceof CallableStatement call) {
            return opened(proxyOf(CallableStatement.class, new WatchedStatement(guard, this, call)));
        }
        if (statement instanceof PreparedStatement prepared) {
            return opened(proxyOf(PreparedStatement.class, new WatchedStatement(guard, this, prepared)));
        }
        return statement instanceof Statement plain
                ? opened(proxyOf(Statement.class, new WatchedStatement(guard, this, plain)))
                : statement;
    }

    ResultSet rows(ResultSet rows, Statement statement) {
        return proxyOf(ResultSet.class, new WatchedRows(guard, connection, rows, statement));
    }

    private <T extends Statement> T opened(T statement) {
        guard.opened(statement);
        return statement;
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        try {
            return opened(proxyOf(PreparedStatement.class, new WatchedPrepared(guard, this, sql, guard.prepare(sql))));
        } catch (SQLException failure) {
            guard.failed(failure);
            throw failure;
        }
    }

    private final class OnConnection extends Watch {
        OnConnection(ConnectionGuard guard) {
            super(guard, guard.raw());
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            return switch (guard.phase()) {
                case BEFORE ->
                    method.getName().equals("getAutoCommit") ? guard.raw().getAutoCommit() : call(method, args);
                case WORK -> inWork(method, args);
                case AFTER -> afterwards(method, args);
            };
        }

        private @Nullable Object inWork(Method method, Object @Nullable [] args) throws Throwable {
            return switch (method.getName()) {
                case "getAutoCommit" -> false;
                case "setAutoCommit" -> autoCommit(args);
                case "commit" -> throw guard.refuse("commit");
                case "rollback" -> rollback(method, args);
                case "close", "abort" -> close();
                case "setSavepoint" -> savepoint(method, args);
                case "releaseSavepoint" -> release(method, args);
                case "createStatement", "prepareStatement", "prepareCall" -> statement(method, args);
                case "getMetaData" ->
                    proxyOf(
                            DatabaseMetaData.class,
                            new WatchedRows(guard, connection, guard.raw().getMetaData(), null));
                default -> call(method, args);
            };
        }

        private @Nullable Object autoCommit(Object @Nullable [] args) throws SQLException {
            if (args != null && Boolean.TRUE.equals(args[0])) {
                throw guard.refuse("turn auto-commit on");
            }
            return null;
        }

        private @Nullable Object rollback(Method method, Object @Nullable [] args) throws Throwable {
            if (args == null) {
                throw guard.refuse("roll back");
            }
            guard.requireGoingOn();
            Object nothing = call(method, args);
            guard.rolledBackTo((Savepoint) args[0]);
            return nothing;
        }

        private @Nullable Object release(Method method, Object @Nullable [] args) throws Throwable {
            Object nothing = call(method, args);
            if (args != null && args[0] instanceof Savepoint savepoint) {
                guard.released(savepoint);
            }
            return nothing;
        }

        private @Nullable Object close() {
            guard.holdBackClose();
            return null;
        }

        private @Nullable Object savepoint(Method method, Object @Nullable [] args) throws Throwable {
            guard.requireGoingOn();
            Object made = call(method, args);
            if (made instanceof Savepoint savepoint) {
                guard.savepointSet(savepoint);
            }
            return made;
        }

        private @Nullable Object statement(Method method, Object @Nullable [] args) throws Throwable {
            requireHarmless(args);
            if (args != null && method.getName().equals("prepareStatement") && isDefault(args)) {
                return prepared((String) args[0]);
            }
            return watched(call(method, args));
        }

        /** Whether the rows are asked for as they are without being asked for; Jdbi names it. */
        private static boolean isDefault(Object[] args) {
            return args.length == 1
                    || (args.length == 3
                            && args[1].equals(ResultSet.TYPE_FORWARD_ONLY)
                            && args[2].equals(ResultSet.CONCUR_READ_ONLY));
        }

        /** Jdbi runs a handle's callbacks when it "commits" or "rolls back" what has ended already. */
        private @Nullable Object afterwards(Method method, Object @Nullable [] args) throws Throwable {
            return switch (method.getName()) {
                case "getAutoCommit" -> true;
                case "commit", "rollback", "setAutoCommit" -> null;
                case "close" -> {
                    guard.raw().close();
                    yield null;
                }
                default -> {
                    guard.used();
                    yield call(method, args);
                }
            };
        }
    }
}
