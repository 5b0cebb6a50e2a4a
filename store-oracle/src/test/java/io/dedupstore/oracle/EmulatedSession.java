package io.dedupstore.oracle;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Locale;

/** One emulated connection: what the driver does in the client, and what ends a transaction. */
final class EmulatedSession implements InvocationHandler {
    private static final int MOST_SECONDS = 60;

    private final EmulatedOracle oracle;
    private final Connection h2;
    private final EmulatedConnection connection;
    private boolean readOnly;
    private boolean readOnlyTransaction;
    private boolean shortWaits;
    private boolean dead;

    EmulatedSession(EmulatedOracle oracle, Connection h2) {
        this.oracle = oracle;
        this.h2 = h2;
        this.connection = proxy(EmulatedConnection.class, this);
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(EmulatedSession.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    EmulatedConnection connection() {
        return connection;
    }

    EmulatedOracle oracle() {
        return oracle;
    }

    Connection h2() {
        return h2;
    }

    @Override
    public Object invoke(Object self, Method method, Object[] args) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> self == args[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "emulated Oracle connection";
            case "isClosed" -> dead || h2.isClosed();
            case "close" -> close();
            case "abort" -> abort();
            case "unwrap" -> unwrap(self, (Class<?>) args[0]);
            default -> {
                if (dead) {
                    throw EmulatedFailure.of(17008);
                }
                yield onOpen(method, args);
            }
        };
    }

    private Object onOpen(Method method, Object[] args) throws Throwable {
        return switch (method.getName()) {
            case "isReadOnly" -> readOnly;
            case "setReadOnly" -> {
                readOnly = (boolean) args[0];
                yield null;
            }
            case "setTransactionIsolation" -> isolation((int) args[0], method, args);
            case "releaseSavepoint" -> throw EmulatedFailure.of(17023);
            case "getMetaData" -> proxy(DatabaseMetaData.class, this::onMetaData);
            case "commit" -> end(EmulatedFaults.COMMIT, h2::commit);
            case "rollback" -> args == null ? end(EmulatedFaults.ROLLBACK, h2::rollback) : rollbackTo(method, args);
            case "setAutoCommit" -> autoCommit((boolean) args[0]);
            case "createStatement" -> new EmulatedStatement(this, h2.createStatement(), null).as(Statement.class);
            case "prepareStatement" -> prepared((String) args[0]);
            case "prepareCall" -> called((String) args[0]);
            default -> call(h2, method, args);
        };
    }

    private Object isolation(int level, Method method, Object[] args) throws Throwable {
        boolean known = level == Connection.TRANSACTION_READ_COMMITTED || level == Connection.TRANSACTION_SERIALIZABLE;
        if (!known) {
            throw EmulatedFailure.of(17030);
        }
        return call(h2, method, args);
    }

    private Object rollbackTo(Method method, Object[] args) throws Throwable {
        if (!(args[0] instanceof Savepoint)) {
            throw EmulatedFailure.of(17122);
        }
        return call(h2, method, args);
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        EmulatedStatement.requireKnown(sql);
        try {
            PreparedStatement statement = h2.prepareStatement(EmulatedSql.translated(sql));
            return new EmulatedStatement(this, statement, sql).as(PreparedStatement.class);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private CallableStatement called(String sql) throws SQLException {
        EmulatedStatement.requireKnown(sql);
        return EmulatedLockBlock.prepare(this, sql);
    }

    private interface Ending {
        void run() throws SQLException;
    }

    /** The end of a transaction; of the two kinds, a driver refuses both while auto-commit is on. */
    private Object end(String call, Ending ending) throws SQLException {
        if (h2.getAutoCommit()) {
            throw EmulatedFailure.of(call.equals(EmulatedFaults.COMMIT) ? 17273 : 17274);
        }
        EmulatedFaults.Fault fault = oracle.faults().take(call);
        if (fault == null || fault.carriedOut()) {
            ending.run();
            transactionOver();
        }
        strike(fault);
        return null;
    }

    void strike(EmulatedFaults.Fault fault) throws SQLException {
        if (fault == null) {
            return;
        }
        boolean rolledBack = fault.code() == 2091 || fault.code() == 2092;
        if (fault.fatal() || rolledBack) {
            h2.rollback();
            transactionOver();
        }
        if (fault.fatal()) {
            die();
        }
        throw fault.failure();
    }

    private void transactionOver() throws SQLException {
        oracle.transactionOver(this);
        readOnlyTransaction = false;
        if (shortWaits) {
            boundWaits(MOST_SECONDS);
            shortWaits = false;
        }
    }

    private void boundWaits(int seconds) throws SQLException {
        try (Statement statement = h2.createStatement()) {
            statement.execute("SET LOCK_TIMEOUT " + seconds * 1000);
        }
    }

    /** A transaction that is open is committed. */
    private Object autoCommit(boolean on) throws SQLException {
        h2.setAutoCommit(on);
        if (on) {
            transactionOver();
        }
        return null;
    }

    /** Oracle commits what is open when a connection is closed. */
    private Object close() throws SQLException {
        if (!dead && !h2.isClosed() && !h2.getAutoCommit()) {
            h2.commit();
        }
        die();
        return null;
    }

    private Object abort() throws SQLException {
        if (!dead && !h2.isClosed()) {
            h2.rollback();
        }
        die();
        return null;
    }

    private void die() throws SQLException {
        dead = true;
        oracle.transactionOver(this);
        h2.close();
    }

    private Object unwrap(Object self, Class<?> type) throws SQLException {
        if (!type.isInstance(self)) {
            throw new SQLException("wraps nothing of the type " + type);
        }
        return self;
    }

    private Object onMetaData(Object self, Method method, Object[] args) throws Throwable {
        return switch (method.getName()) {
            case "getDatabaseProductName" -> "Oracle";
            case "getConnection" -> connection;
            default -> call(h2.getMetaData(), method, args);
        };
    }

    /** A connection's end closes its statements, and JDBC lets a closed one refuse even to have a property set. */
    void requireStatementsOpen() throws SQLException {
        if (dead) {
            throw EmulatedFailure.of(17009);
        }
    }

    /** What the session's own statements mean to the session itself, before they run. */
    void before(String sql) throws SQLException {
        if (dead) {
            throw EmulatedFailure.of(17008);
        }
        String text = sql.strip().toUpperCase(Locale.ROOT);
        if (readOnlyTransaction && EmulatedSql.changesRows(sql)) {
            throw EmulatedFailure.of(1456);
        }
        if (text.equals("COMMIT") || text.equals("ROLLBACK")) {
            transactionOver();
        }
        readOnlyTransaction |= text.equals("SET TRANSACTION READ ONLY");
        if (sql.equals(OracleFixture.SHORT_WAITS)) {
            boundWaits(1);
            shortWaits = true;
        }
    }

    /** A claim's row: waits for whoever has the key and is undecided, as Oracle does, and then lets H2 decide. */
    Object insert(Object key, int seconds, EmulatedStatement.Run insert) throws Throwable {
        int answer = oracle.keys().request(this, key, seconds == 0 ? Integer.MAX_VALUE : seconds);
        if (answer == EmulatedLocks.TIMED_OUT) {
            throw EmulatedFailure.of(1013);
        }
        if (answer == EmulatedLocks.DEADLOCK) {
            throw EmulatedFailure.of(60);
        }
        boolean inserted = false;
        try {
            Object result = insert.run();
            inserted = true;
            return result;
        } finally {
            boolean decided = !inserted || h2.getAutoCommit();
            if (decided && answer == EmulatedLocks.GRANTED) {
                oracle.keys().release(this, key);
            }
        }
    }

    SQLException failure(SQLException failed) throws SQLException {
        boolean ours = failed.getClass().getName().startsWith("org.h2.");
        boolean serializable =
                !dead && !h2.isClosed() && h2.getTransactionIsolation() == Connection.TRANSACTION_SERIALIZABLE;
        return ours ? EmulatedSql.failure(failed, serializable, oracle.duplicateText()) : failed;
    }

    Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SQLException sql ? failure(sql) : e.getCause();
        }
    }
}
