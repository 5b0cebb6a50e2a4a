package io.dedupstore.postgres;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What SQLStates mean. PostgreSQL has no other code, and its driver one exception class. Sources: the manual's appendix
 * "PostgreSQL Error Codes", and observation (facts F1, P1, P3, P5).
 */
final class PostgresErrors {
    static final String LOCK_NOT_AVAILABLE = "55P03";
    static final String QUERY_CANCELED = "57014";

    /** Made by {@link PostgresTransaction}: the transaction was not there any more when it should have been committed. */
    static final String ROLLED_BACK = "40000";

    private PostgresErrors() {}

    static FailureKind kind(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.length() != 5) {
            return connectionLost(failure) ? FailureKind.CONNECTION : FailureKind.OTHER;
        }
        return switch (state) {
            case "40P01" -> FailureKind.DEADLOCK;
            case "40002" -> FailureKind.CONSTRAINT;
            // statement_completion_unknown, CockroachDB's "result is ambiguous": in doubt if it was the commit
            case "40003" -> FailureKind.CONNECTION;
            case LOCK_NOT_AVAILABLE -> FailureKind.LOCK_TIMEOUT;
            case QUERY_CANCELED -> FailureKind.TIMEOUT;
            case "25006" -> FailureKind.READ_ONLY;
            // such as ON CONFLICT over a deferrable key
            case "55000" -> FailureKind.CONFIGURATION;
            // idle_in_transaction_session_timeout, transaction_timeout: the session is over
            case "25P03", "25P04" -> FailureKind.CONNECTION;
            // terminated, crashed, starting or shutting down, database dropped, idle_session_timeout
            case "57P01", "57P02", "57P03", "57P04", "57P05" -> FailureKind.CONNECTION;
            case "53300" -> FailureKind.CONNECTION;
            // the driver's prepared statement is not in this session: another session than the driver thinks
            case "26000" -> FailureKind.CONNECTION;
            case "0A000" -> planOutdated(failure) ? FailureKind.SERIALIZATION : FailureKind.CONFIGURATION;
            // too long for an index, out of a program's limits: not a lack of room that passes
            case "54000" -> FailureKind.OTHER;
            default -> byClass(state);
        };
    }

    private static FailureKind byClass(String state) {
        return switch (state.substring(0, 2)) {
            case "08" -> FailureKind.CONNECTION;
            case "40" -> FailureKind.SERIALIZATION;
            case "23" -> FailureKind.CONSTRAINT;
            // insufficient resources, and errors of the operating system (disk full while writing WAL)
            case "53", "58" -> FailureKind.RESOURCES;
            // undefined, ambiguous, no rights; no such database; no such schema; authentication
            case "42", "3D", "3F", "28" -> FailureKind.CONFIGURATION;
            default -> FailureKind.OTHER;
        };
    }

    /** Something changed a table under a prepared statement; the driver prepares anew when the transaction is run again. */
    private static boolean planOutdated(SQLException failure) {
        ServerErrorMessage message = failure instanceof PSQLException server ? server.getServerErrorMessage() : null;
        return message != null && "RevalidateCachedQuery".equals(message.getRoutine());
    }

    /** Pools and the driver set no SQLState on some of these; an application's own exceptions are none of them. */
    private static boolean connectionLost(SQLException failure) {
        return failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException;
    }
}
