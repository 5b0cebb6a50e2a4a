package io.dedupstore.sqlite;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;

/**
 * What SQLite's result codes mean. The driver sets no SQLState; {@code getErrorCode} is the primary code, the extended one
 * comes with its own exception class. Sources: sqlite.org/rescode.html, and observation (facts S1, S2, F3).
 */
final class SqliteErrors {
    static final int BUSY = 5;
    static final int LOCKED = 6;

    private static final int ERROR = 1;
    private static final int PERM = 3;
    private static final int NOMEM = 7;
    private static final int READONLY = 8;
    private static final int INTERRUPT = 9;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int PROTOCOL = 15;
    private static final int SCHEMA = 17;
    private static final int CONSTRAINT = 19;
    private static final int MISUSE = 21;
    private static final int AUTH = 23;
    private static final int NOTADB = 26;
    private static final int BUSY_RECOVERY = 261;
    private static final int BUSY_SNAPSHOT = 517;

    private SqliteErrors() {}

    static FailureKind kind(SQLException failure) {
        if (failure instanceof TurnTimeout) {
            return FailureKind.LOCK_TIMEOUT;
        }
        return switch (primary(failure)) {
            case BUSY -> busy(extended(failure));
            case LOCKED -> FailureKind.LOCK_TIMEOUT;
            case PROTOCOL, SCHEMA -> FailureKind.BUSY;
            case INTERRUPT -> FailureKind.TIMEOUT;
            case FULL, NOMEM -> FailureKind.RESOURCES;
            case IOERR, CANTOPEN, MISUSE -> FailureKind.CONNECTION;
            case CONSTRAINT -> FailureKind.CONSTRAINT;
            // code 1 is what a missing table or column gives when a statement is prepared
            case ERROR, PERM, READONLY, CORRUPT, AUTH, NOTADB -> FailureKind.CONFIGURATION;
            default -> closed(failure) ? FailureKind.CONNECTION : FailureKind.OTHER;
        };
    }

    private static FailureKind busy(int extended) {
        return switch (extended) {
            case BUSY_SNAPSHOT -> FailureKind.SERIALIZATION;
            case BUSY_RECOVERY -> FailureKind.BUSY;
            default -> FailureKind.LOCK_TIMEOUT;
        };
    }

    static int primary(SQLException failure) {
        // some releases put the extended code here
        return failure.getErrorCode() & 0xff;
    }

    private static int extended(SQLException failure) {
        return failure instanceof org.sqlite.SQLiteException sqlite
                ? sqlite.getResultCode().code
                : failure.getErrorCode();
    }

    /** The driver's own exceptions have neither code nor state; pools follow the standard's class 08. */
    private static boolean closed(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("08");
    }

    /** The queue of this JVM did not give a turn in time. */
    static final class TurnTimeout extends SQLException {
        private static final long serialVersionUID = 1L;

        TurnTimeout() {
            super("The turn to write did not come in time", null, BUSY);
        }
    }
}
