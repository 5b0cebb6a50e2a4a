package io.dedupstore.examples;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Failures in words that are safe to show: a server's message can quote the values of a row, Jdbi's the statement. */
final class Failures {
    /** PostgreSQL's cancelled statement and its lock timeout. */
    private static final Set<String> TIMEOUT_STATES = Set.of("57014", "55P03");

    private static final int SQLITE_BUSY = 5;

    private Failures() {}

    static String describe(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        return sql(failure)
                .map(sql -> name + ", SQLState " + sql.getSQLState() + ", code " + sql.getErrorCode())
                .orElse(name);
    }

    /** Whether a statement waited for another transaction until its time was up. */
    static boolean isLockTimeout(Throwable failure) {
        return sql(failure)
                .filter(sql -> sql instanceof SQLTimeoutException
                        || sql.getErrorCode() == SQLITE_BUSY
                        || (sql.getSQLState() != null && TIMEOUT_STATES.contains(sql.getSQLState())))
                .isPresent();
    }

    private static Optional<SQLException> sql(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }
}
