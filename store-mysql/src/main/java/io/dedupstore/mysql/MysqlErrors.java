package io.dedupstore.mysql;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;

/**
 * What error numbers mean, and only then SQLStates: 40001 stands for a lock timeout too, which undoes one statement, and
 * 23000 for every constraint. Both drivers pass the server's number on; MariaDB's own are above 1900 where MySQL has none.
 * Sources: the servers' reference of errors, and observation (facts M1, M5, M10, F4).
 */
final class MysqlErrors {
    static final int NULL_VALUE = 1048;
    static final int DUPLICATE_KEY = 1062;

    private MysqlErrors() {}

    static FailureKind kind(SQLException failure) {
        return switch (failure.getErrorCode()) {
            // 1614: the same inside a distributed transaction
            case 1213, 1614 -> FailureKind.DEADLOCK;
            // 3572: NOWAIT
            case 1205, 3572 -> FailureKind.LOCK_TIMEOUT;
            // changed since the snapshot (MariaDB); definition changed, prepare again; refused by the replication group
            case 1020, 1412, 1615, 3101 -> FailureKind.SERIALIZATION;
            // read_only and super_read_only; innodb_read_only; a table of a server that only reads
            case 1290, 1836, 1036 -> FailureKind.READ_ONLY;
            // KILL QUERY and Statement.cancel; max_statement_time (MariaDB); max_execution_time
            case 1317, 1969, 3024 -> FailureKind.TIMEOUT;
            // disk, memory, table, lock table, redo log full
            case 1021, 1037, 1038, 1041, 1114, 1206 -> FailureKind.RESOURCES;
            // too many connections; shutting down; reading, writing; of one user; killed; offline; idle for too long
            case 1040, 1053, 1158, 1159, 1160, 1161, 1203, 1226, 1927, 3032, 3168, 3169, 4031 -> FailureKind.CONNECTION;
            // the driver's prepared statement is not in this session: another session than the driver thinks
            case 1243 -> FailureKind.CONNECTION;
            // no database chosen; binary log format; a column without default; rights on the server; read-only
            // transaction
            case 1046, 1665, 1364, 1698, 1792 -> FailureKind.CONFIGURATION;
            // CHECK, in MySQL and in MariaDB
            case 3819, 4025 -> FailureKind.CONSTRAINT;
            default -> byState(failure);
        };
    }

    private static FailureKind byState(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.length() != 5) {
            return stateless(failure);
        }
        return switch (state.substring(0, 2)) {
            case "08" -> FailureKind.CONNECTION;
            case "23" -> FailureKind.CONSTRAINT;
            case "40" -> FailureKind.SERIALIZATION;
            // unknown table or column, syntax, rights; no such database; authentication
            case "42", "3D", "28" -> FailureKind.CONFIGURATION;
            default -> stateless(failure);
        };
    }

    /** What drivers and pools make themselves, without the server; an application's own exceptions are none of them. */
    private static FailureKind stateless(SQLException failure) {
        if (failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException) {
            return FailureKind.CONNECTION;
        }
        // the second is Connector/J's, for Statement.cancel; it has neither number nor state nor a standard class
        if (failure instanceof SQLTimeoutException
                || failure.getClass().getName().endsWith(".MySQLStatementCancelledException")) {
            return FailureKind.TIMEOUT;
        }
        return FailureKind.OTHER;
    }
}
