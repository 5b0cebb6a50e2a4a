package io.dedupstore.internal;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionState;
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
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches the connection that the work uses (A3): remembers the failures of its statements, and refuses what would end the
 * transaction, or go on after the database has ended it. The store's own statements use {@link #raw()} and pass by.
 *
 * <p>Proxies instead of written-out wrappers: java.sql grows default methods, and a wrapper that does not know one would
 * hide the driver's. A call through a proxy costs some ten nanoseconds, a statement at least some ten microseconds.
 *
 * <p>Used by one thread, like its connection.
 */
final class ConnectionGuard {
    private static final String STATE_OWNED = "2D000"; // invalid transaction termination
    private static final String STATE_ENDED = "25000"; // invalid transaction state

    private enum Phase {
        /** Calls pass. */
        BEFORE,
        /** The work runs. */
        WORK,
        /** The transaction has ended: Jdbi may think it ends it, and closes. */
        AFTER
    }

    private final Connection raw;
    private final Connection proxy;
    private final DedupDialect dialect;
    private final List<SQLException> failures = new ArrayList<>(0);
    private final IdentityHashMap<Savepoint, Integer> failuresBefore = new IdentityHashMap<>(0);
    private Phase phase = Phase.BEFORE;
    private @Nullable NewClaim claim;
    private @Nullable String misuse;
    private boolean failed;
    private boolean unwrapped;
    private boolean ended;
    private boolean closeHeldBack;

    ConnectionGuard(Connection raw, DedupDialect dialect) {
        this.raw = raw;
        this.dialect = dialect;
        this.proxy = proxyOf(Connection.class, new OnConnection());
    }

    Connection raw() {
        return raw;
    }

    Connection proxy() {
        return proxy;
    }

    void workBegins(NewClaim made) {
        claim = made;
        phase = Phase.WORK;
    }

    void transactionOver() {
        phase = Phase.AFTER;
    }

    /** Closes the connection if the work wanted to while it could not be. */
    void closeIfHeldBack() throws SQLException {
        if (closeHeldBack) {
            raw.close();
        }
    }

    boolean workBegan() {
        return claim != null;
    }

    /** What the work did that it must not, or null. */
    @Nullable
    String misuse() {
        return misuse;
    }

    /** The first failure that no rollback to a savepoint has undone, or null. */
    @Nullable
    SQLException unhandledFailure() {
        return failures.isEmpty() ? null : failures.get(0);
    }

    /** All failures that no rollback to a savepoint has undone. */
    List<SQLException> unhandledFailures() {
        return failures;
    }

    /** The state of the transaction after the work; costs nothing if nothing happened that could have changed it. */
    TransactionState inspect() throws SQLException {
        NewClaim made = claim;
        if (ended || made == null) {
            return TransactionState.ENDED;
        }
        return dialect.inspect(raw, made, failed || unwrapped);
    }

    private void failed(SQLException failure) {
        if (phase != Phase.WORK) {
            return;
        }
        failures.add(failure);
        if (failed && ended) {
            return;
        }
        failed = true;
        // at once, not only before the commit: on a database that has rolled back by itself the next statement would be
        // committed alone (SQLite) or open another transaction (MySQL)
        try {
            ended = inspect() == TransactionState.ENDED;
        } catch (SQLException e) {
            ended = true;
        }
    }

    private SQLException refuse(String did) {
        if (misuse == null) {
            misuse = did;
        }
        return new SQLException(
                "The work must not " + did + ": the store owns this transaction. It will be rolled back.", STATE_OWNED);
    }

    private void requireGoingOn() throws SQLException {
        if (phase == Phase.WORK && (ended || misuse != null)) {
            throw new SQLException(
                    "This transaction is lost after an earlier failure or a forbidden call; let the work end. It will be"
                            + " rolled back.",
                    STATE_ENDED);
        }
    }

    private void requireHarmless(Object @Nullable [] args) throws SQLException {
        requireGoingOn();
        if (phase == Phase.WORK && args != null && args.length > 0 && args[0] instanceof String sql) {
            if (dialect.endsTransaction(sql)) {
                throw refuse("run a statement that begins or ends a transaction");
            }
        }
    }

    private static <T> T proxyOf(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ConnectionGuard.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Calls through, remembers SQL exceptions, and keeps what leads back to the connection inside the guard. */
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
            unwrapped |= phase == Phase.WORK;
            return call(method, args);
        }

        abstract @Nullable Object on(Object self, Method method, Object @Nullable [] args) throws Throwable;

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
            super(ConnectionGuard.this.raw);
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            return switch (phase) {
                case BEFORE -> call(method, args);
                case WORK -> inWork(method, args);
                case AFTER -> afterwards(method, args);
            };
        }

        private @Nullable Object inWork(Method method, Object @Nullable [] args) throws Throwable {
            return switch (method.getName()) {
                case "getAutoCommit" -> false;
                case "setAutoCommit" -> autoCommit(args);
                case "commit" -> throw refuse("commit");
                case "rollback" -> args == null ? rollback() : toSavepoint(method, args);
                case "close", "abort" -> holdBackClose();
                case "setSavepoint" -> savepoint(method, args);
                case "createStatement", "prepareStatement", "prepareCall" -> statement(method, args);
                case "getMetaData" -> proxyOf(DatabaseMetaData.class, new OnOther(raw.getMetaData(), null));
                default -> call(method, args);
            };
        }

        private @Nullable Object autoCommit(Object @Nullable [] args) throws SQLException {
            if (args != null && Boolean.TRUE.equals(args[0])) {
                throw refuse("turn auto-commit on");
            }
            return null;
        }

        private @Nullable Object rollback() throws SQLException {
            throw refuse("roll back");
        }

        private @Nullable Object holdBackClose() {
            closeHeldBack = true;
            if (misuse == null) {
                misuse = "close its handle or connection";
            }
            return null;
        }

        private @Nullable Object statement(Method method, Object @Nullable [] args) throws Throwable {
            requireHarmless(args);
            return watched(call(method, args));
        }

        private @Nullable Object savepoint(Method method, Object @Nullable [] args) throws Throwable {
            requireGoingOn();
            Object made = call(method, args);
            if (made instanceof Savepoint savepoint) {
                failuresBefore.put(savepoint, failures.size());
            }
            return made;
        }

        /** Jdbi runs a handle's callbacks when it "commits" or "rolls back" what has ended already. */
        private @Nullable Object afterwards(Method method, Object @Nullable [] args) throws Throwable {
            return switch (method.getName()) {
                case "getAutoCommit" -> true;
                case "commit", "rollback", "setAutoCommit" -> null;
                default -> call(method, args);
            };
        }

        private @Nullable Object toSavepoint(Method method, Object[] args) throws Throwable {
            requireGoingOn();
            Object nothing = call(method, args);
            Integer before = failuresBefore.get((Savepoint) args[0]);
            if (before != null && before < failures.size()) {
                failures.subList(before, failures.size()).clear();
            }
            return nothing;
        }
    }

    private @Nullable Object watched(@Nullable Object statement) {
        if (statement instanceof CallableStatement call) {
            return proxyOf(CallableStatement.class, new OnStatement(call));
        }
        if (statement instanceof PreparedStatement prepared) {
            return proxyOf(PreparedStatement.class, new OnStatement(prepared));
        }
        return statement instanceof Statement plain ? proxyOf(Statement.class, new OnStatement(plain)) : statement;
    }

    private final class OnStatement extends Watch {
        OnStatement(Statement statement) {
            super(statement);
        }

        @Override
        @Nullable
        Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
            String name = method.getName();
            if (name.equals("getConnection")) {
                return proxy;
            }
            if (name.startsWith("execute") || name.equals("addBatch")) {
                requireHarmless(args);
            }
            Object result = call(method, args);
            return result instanceof ResultSet rows
                    ? proxyOf(ResultSet.class, new OnOther(rows, (Statement) self))
                    : result;
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
                case "getConnection" -> proxy;
                case "getStatement" -> statement;
                default -> call(method, args);
            };
        }
    }
}
