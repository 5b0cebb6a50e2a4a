package io.dedupstore.oracle;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What Oracle's vendor codes mean. Neither class nor SQLState is asked: the driver gives a distributed lock's timeout as a
 * syntax error, and a refused connection as a plain exception of class 66 (fact O2). Sources: Oracle's error messages
 * reference, the driver's own table of codes, and, for codes of connections, observation of the driver (fact O29).
 */
final class OracleErrors {
    static final int UNIQUE = 1;
    static final int DEADLOCK = 60;
    static final int CANCELLED = 1013;
    static final int CANNOT_SERIALIZE = 8177;

    /** "Resource busy; acquire with WAIT timeout expired": what a claim at its bound is reported as. */
    static final int WAIT_EXPIRED = 30006;

    /** Causes and chained exceptions are walked this far, so that a cycle ends. */
    private static final int DEEPEST = 16;

    private OracleErrors() {}

    static FailureKind kind(SQLException failure) {
        int code = failure.getErrorCode();
        if (code == 0) {
            return withoutCode(failure);
        }
        return switch (code) {
            // among sessions, over an object; a distributed lock's timeout, to be treated alike (fact O10); rolled back
            // for
            // a transaction of higher priority, and the statements after that (23ai)
            case DEADLOCK, 4020, 2049, 63300, 63302 -> FailureKind.DEADLOCK;
            // cannot serialize, no rollback data, snapshot too old; a package was compiled anew under the session;
            // rolled
            // back by another branch of a distributed transaction
            case CANNOT_SERIALIZE, 8176, 1555, 4061, 4065, 4068, 2092, 24761 -> FailureKind.SERIALIZATION;
            case 54, WAIT_EXPIRED -> FailureKind.LOCK_TIMEOUT;
            // held by an in-doubt distributed transaction; a DDL statement is at work
            case 1591, 4021, 14411 -> FailureKind.BUSY;
            // cancelled; limits of the user's profile on a call
            case CANCELLED, 40, 2393 -> FailureKind.TIMEOUT;
            case 16000, 16003 -> FailureKind.READ_ONLY;
            // 2091: rolled back at the commit, normally by a deferred constraint (E3)
            case UNIQUE, 1400, 1407, 2290, 2291, 2292, 2293, 2091 -> FailureKind.CONSTRAINT;
            default -> more(code);
        };
    }

    private static FailureKind more(int code) {
        return switch (code) {
            // no room in a table, index, rollback or temporary segment; quota; archiver stuck; memory; cursors
            case 1536, 1628, 1630, 1631, 1632, 1650, 1651, 1652, 1653, 1654, 1655, 1656, 1658, 1659, 1683, 1688, 1691 ->
                FailureKind.RESOURCES;
            case 30036, 257, 4030, 4031, 1000 -> FailureKind.RESOURCES;
            // no such table, column, name or package; no rights, no quota; name in use; too short a column; read-only
            // transaction or table; wrong PL/SQL; wrong, locked or expired account
            case 942, 904, 903, 980, 6550, 1031, 1950, 955, 12899, 1456, 12081, 1017, 1005, 1045, 28000, 28001 ->
                FailureKind.CONFIGURATION;
            default -> lostConnection(code) ? FailureKind.CONNECTION : FailureKind.OTHER;
        };
    }

    private static boolean lostConnection(int code) {
        boolean network = code >= 12150 && code <= 12699; // from "not connected" to the last of Oracle Net
        boolean failover = code >= 25400 && code <= 25425;
        boolean protocol = code >= 17401 && code <= 17416; // the driver's, from "protocol violation" to "fatal"
        boolean driversNetwork = code >= 17800 && code <= 17999; // from "got minus one from a read call" on
        return network || failover || protocol || driversNetwork || ofSession(code) || ofDriver(code);
    }

    private static boolean ofSession(int code) {
        return switch (code) {
            // limits on sessions and processes; killed; not logged on; starting, mounted, closing down, not there; idle
            // or
            // connected for too long; broken off
            case 18, 20, 24, 28, 31, 603, 1012, 1014, 1033, 1034, 1035, 1041, 1089, 1090, 1092, 1109 -> true;
            case 2391, 2394, 2396, 2399, 3106, 3111, 3113, 3114, 3135, 3136, 24909 -> true;
            default -> false;
        };
    }

    private static boolean ofDriver(int code) {
        return switch (code) {
            // I/O error, closed connection, inconsistent state of a call, login timeout, spoilt refusal
            case 17002, 17008, 17447, 18714, 18958 -> true;
            default -> false;
        };
    }

    /** Pools' exceptions have no vendor code. */
    private static FailureKind withoutCode(SQLException failure) {
        String state = failure.getSQLState();
        boolean connection = failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException
                || (state != null && state.startsWith("08"));
        return connection ? FailureKind.CONNECTION : FailureKind.OTHER;
    }

    /** The first of an exception, its causes and what is chained to them, that fits. */
    static @Nullable SQLException first(Throwable failure, Predicate<SQLException> fits) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < DEEPEST; t = t.getCause(), depth++) {
            SQLException sql = t instanceof SQLException any ? any : null;
            for (int chained = 0; sql != null && chained < DEEPEST; sql = sql.getNextException(), chained++) {
                if (fits.test(sql)) {
                    return sql;
                }
            }
        }
        return null;
    }
}
