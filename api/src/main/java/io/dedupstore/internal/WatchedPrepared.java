package io.dedupstore.internal;

import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A prepared statement, which the dialect may keep for the next transaction. */
final class WatchedPrepared extends WatchedStatement {
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

    private static final Object NOT_DIRECTLY = new Object();

    private final String sql;
    private final PreparedStatement statement;
    private @Nullable ResultSet rows;
    private boolean reusable = true;
    private boolean closed;

    WatchedPrepared(ConnectionGuard guard, GuardProxies proxies, String sql, PreparedStatement statement) {
        super(guard, proxies, statement);
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

    /** What most statements do goes without the detour of reflection. */
    @Override
    @Nullable
    Object call(Method method, Object @Nullable [] args) throws Throwable {
        Object answer;
        try {
            answer = directly(method.getName(), args);
        } catch (SQLException failure) {
            failed(failure);
            throw failure;
        }
        return answer == NOT_DIRECTLY ? super.call(method, args) : answer;
    }

    private @Nullable Object directly(String method, Object @Nullable [] args) throws SQLException {
        if (args == null) {
            return switch (method) {
                case "execute" -> statement.execute();
                case "executeQuery" -> statement.executeQuery();
                case "executeUpdate" -> statement.executeUpdate();
                case "getUpdateCount" -> statement.getUpdateCount();
                default -> NOT_DIRECTLY;
            };
        }
        if (args.length != 2 || !(args[0] instanceof Integer index)) {
            return NOT_DIRECTLY;
        }
        switch (method) {
            case "setInt" -> statement.setInt(index, (Integer) args[1]);
            case "setLong" -> statement.setLong(index, (Long) args[1]);
            case "setString" -> statement.setString(index, (String) args[1]);
            default -> {
                return NOT_DIRECTLY;
            }
        }
        return null;
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
