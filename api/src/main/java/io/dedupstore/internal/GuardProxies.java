package io.dedupstore.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC objects that the work gets. They tell the guard, and keep inside it whatever leads back to the connection.
 *
 * <p>Proxies instead of written-out wrappers: java.sql grows default methods, and a wrapper that does not know one would
 * hide the driver's. A call through a proxy costs some ten nanoseconds, a statement at least some ten microseconds; the
 * claim's own statements do not pass here.
 */
final class GuardProxies {
    private static final String STATE_CLOSED = "26000"; // invalid SQL statement name

    /** After these, and after setters of values, a prepared statement is as good as new. */
    private static final Set<String> LEAVES_NO_TRACE = Set.of(
            "execute",
            "executeQuery",
            "executeUpdate",
            "executeLargeUpdate",
            "getUpdateCount",
            "getLargeUpdateCount",
            "getResultSet",
            "getMoreResults",
            "getMetaData",
            "getConnection",
            "clearParameters",
            "isClosed",
            "close");

    private final ConnectionGuard guard;
    private final Connection connection;

    GuardProxies(ConnectionGuard guard) {
        this.guard = guard;
        this.connection = proxyOf(Connection.class, new OnConnection());
    }

    Connection connection() {
        return connection;
    }

    private static <T> T proxyOf(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(GuardProxies.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object watched(@Nullable Object statement) {
        if (statement instanceof CallableStatement call) {
            return opened(proxyOf(CallableStatement.class, new OnStatement(call)));
        }
        if (statement instanceof PreparedStatement prepared) {
            return opened(proxyOf(PreparedStatement.class, new OnStatement(prepared)));
        }
        return statement instanceof Statement plain
                ? opened(proxyOf(Statement.class, new OnStatement(plain)))
                : statement;
    }

    private <T extends Statement> T opened(T statement) {
        guard.opened(statement);
        return statement;
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        try {
            return opened(proxyOf(PreparedStatement.class, new OnPrepared(sql, guard.prepare(sql))));
        } catch (SQLException failure) {
            guard.failed(failure);
            throw failure;
        }
    }

    private void requireHarmless(Object @Nullable [] args) throws SQLException {
        guard.requireGoingOn();
        if (args != null && args.length > 0 && args[0] instanceof String sql) {
            guard.requireHarmless(sql);
        }
    }

    /** Calls through, and remembers SQL exceptions. */
    private abstract class Watch implements InvocationHandler {
        final Object target;

        Watch(Object target) {
            this.target = target;
        }

        @Override
        public final @Nullable Object invoke(Object self, Method method, Object @Nullable [] args) throws Throwable {
            return switch (method.getName()) {
                case "equals" -> args != null && self == args[0];
                case "hashCode" -> System.identityHashCode(self);
                case "toString" -> "guarded " + target;
                case "unwrap" -> unwrap(self, method, args);
                default -> on(self, method, args);
            };
        }

        private @Nullable Object unwrap(Object self, Method method, Object @Nullable [] args) throws Throwable {
            if (args != null && args[0] instanceof Class<?> type && type.isInstance(self)) {
                return self;
            }
            handedOut();
            return call(method, args);
        }

        void handedOut() throws SQLException {
            guard.unwatched();
        }

        abstract @Nullable Object on(Object self, Method method, Object @Nullable [] args) throws Throwable;

        void failed(SQLException failure) {
            guard.failed(failure);
        }

        final @Nullable Object call(Method method, Object @Nullable [] args) throws Throwable {
            try {
                return method.invoke(target, args);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof SQLException failure) {
                    failed(failure);
                }
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }

    private final class OnConnection extends Watch {
        OnConnection() {
            super(guard.raw());
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            return switch (guard.phase()) {
                case BEFORE -> call(method, args);
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
                case "createStatement", "prepareStatement", "prepareCall" -> statement(method, args);
                case "getMetaData" ->
                    proxyOf(DatabaseMetaData.class, new OnOther(guard.raw().getMetaData(), null));
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
                default -> {
                    guard.used();
                    yield call(method, args);
                }
            };
        }
    }

    private class OnStatement extends Watch {
        OnStatement(Statement statement) {
            super(statement);
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            String name = method.getName();
            if (name.equals("getConnection")) {
                return connection;
            }
            if (name.equals("close")) {
                guard.closed(self);
                return close(method);
            }
            if (name.startsWith("execute") || name.equals("addBatch")) {
                guard.used();
                requireHarmless(args);
            }
            Object result = call(method, args);
            return result instanceof ResultSet rows
                    ? proxyOf(ResultSet.class, new OnOther(rows, (Statement) self))
                    : result;
        }

        @Nullable
        Object close(Method method) throws Throwable {
            return call(method, null);
        }
    }

    /** A prepared statement, which the dialect may keep for the next transaction. */
    private final class OnPrepared extends OnStatement {
        private final String sql;
        private final PreparedStatement statement;
        private @Nullable ResultSet rows;
        private boolean reusable = true;
        private boolean closed;

        OnPrepared(String sql, PreparedStatement statement) {
            super(statement);
            this.sql = sql;
            this.statement = statement;
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            if (closed) {
                return afterwards(method);
            }
            reusable &= LEAVES_NO_TRACE.contains(method.getName()) || binds(method);
            Object result = super.on(self, method, args);
            if (result instanceof ResultSet latest) {
                rows = latest;
            }
            return result;
        }

        /** All setters of values have an index or a name, and those of the statement's properties have none. */
        private static boolean binds(Method method) {
            return method.getName().startsWith("set") && method.getParameterCount() > 1;
        }

        private @Nullable Object afterwards(Method method) throws SQLException {
            return switch (method.getName()) {
                case "close" -> null;
                case "isClosed" -> true;
                default -> throw new SQLException("The statement is closed.", STATE_CLOSED);
            };
        }

        @Override
        void handedOut() throws SQLException {
            reusable = false;
            super.handedOut();
        }

        @Override
        void failed(SQLException failure) {
            reusable = false;
            super.failed(failure);
        }

        @Override
        @Nullable
        Object close(Method method) throws Throwable {
            closed = true;
            if (!reusable) {
                return super.close(method);
            }
            try {
                if (rows != null) {
                    rows.close();
                }
                guard.giveBack(sql, statement);
            } catch (SQLException failure) {
                failed(failure);
                throw failure;
            }
            return null;
        }
    }

    /** Rows and metadata: they fail late, and lead back to the connection. */
    private final class OnOther extends Watch {
        private final @Nullable Statement statement;

        OnOther(Object target, @Nullable Statement statement) {
            super(target);
            this.statement = statement;
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            return switch (method.getName()) {
                case "getConnection" -> connection;
                case "getStatement" -> statement;
                default -> call(method, args);
            };
        }
    }
}
