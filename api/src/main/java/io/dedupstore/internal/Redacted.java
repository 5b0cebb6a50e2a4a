package io.dedupstore.internal;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Copies of exceptions without the texts of servers and drivers, which quote row values, and now and then a URL with a
 * password (E6). Class, SQLState and vendor code stay: they say what happened, in every language.
 */
final class Redacted {
    private Redacted() {}

    /** What can safely be said of any exception. */
    static String describe(Throwable failure) {
        SQLException sql = firstSql(failure);
        return sql == null
                ? failure.getClass().getName()
                : sql.getClass().getSimpleName() + ", SQLState " + sql.getSQLState() + ", code " + sql.getErrorCode();
    }

    /** A copy that can be attached as a cause; exceptions without SQL in them are named only. */
    static Throwable copy(Throwable failure) {
        SQLException sql = firstSql(failure);
        Throwable copy = sql == null
                ? new SQLException(failure.getClass().getName())
                : new SQLException(
                        sql.getClass().getName() + " (text withheld, it may quote row values)",
                        sql.getSQLState(),
                        sql.getErrorCode());
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }

    private static @Nullable SQLException firstSql(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < Failures.DEEPEST_CAUSE; t = t.getCause(), depth++) {
            if (t instanceof SQLException sql && (sql.getSQLState() != null || sql.getErrorCode() != 0)) {
                return sql;
            }
        }
        return failure instanceof SQLException sql ? sql : null;
    }
}
