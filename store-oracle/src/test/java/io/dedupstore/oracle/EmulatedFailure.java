package io.dedupstore.oracle;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLRecoverableException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;

/**
 * Exceptions of the class and with the SQLState that Oracle's driver gives a vendor code, as observed on the driver (fact
 * O2), and with the texts of ORA-00001 that are documented or were seen in logs (fact O3).
 */
final class EmulatedFailure {
    /** How a release words ORA-00001. {@code %1$s} is OWNER.NAME, {@code %2$s} the table, {@code %3$s} the columns. */
    enum DuplicateText {
        ORACLE_19C("ORA-00001: unique constraint (%1$s) violated\n\nhttps://docs.oracle.com/error-help/db/ora-00001/"),
        ORACLE_23AI("""
                ORA-00001: unique constraint (%1$s) violated on table %2$s columns (%3$s)
                ORA-03301: (ORA-00001 details) row with column values (%3$s:'quoted-secret') already exists
                Help: https://docs.oracle.com/error-help/db/ora-00001/\
                """),
        GERMAN("ORA-00001: Unique Constraint (%1$s) verletzt"),
        CHINESE("ORA-00001: \u8fdd\u53cd\u552f\u4e00\u7ea6\u675f\u6761\u4ef6 (%1$s)"),
        JAPANESE("ORA-00001: \u4e00\u610f\u5236\u7d04(%1$s)\u306b\u53cd\u3057\u3066\u3044\u307e\u3059");

        private final String format;

        DuplicateText(String format) {
            this.format = format;
        }

        SQLException of(String constraint, String table, String columns) {
            return EmulatedFailure.of(1, String.format(format, constraint, table, columns));
        }
    }

    private EmulatedFailure() {}

    static SQLException of(int code) {
        return of(code, String.format("ORA-%05d: emulated", code));
    }

    static SQLException of(int code, String text) {
        return switch (code) {
            case 1, 1400, 2290, 2291, 2292 -> new SQLIntegrityConstraintViolationException(text, "23000", code);
            case 54, 60, 4020, 4021, 4031 -> new SQLException(text, "61000", code);
            case 1013 -> new SQLTimeoutException(text, "72000", code);
            case 12170 -> new SQLTimeoutException(text, "08006", code);
            case 900, 904, 942, 2049, 6550, 1456, 955, 1031, 1086 -> new SQLSyntaxErrorException(text, "42000", code);
            case 2091, 2092 -> new SQLTransactionRollbackException(text, "40000", code);
            case 28, 31, 603, 1033, 1034, 1089, 1090, 1092, 3113, 3114, 12514, 17002 ->
                new SQLRecoverableException(text, "08006", code);
            case 17008 -> new SQLRecoverableException(text, "08003", code);
            case 17410 -> new SQLRecoverableException(text, "08000", code);
            case 17023 -> new SQLFeatureNotSupportedException(text, "99999", code);
            case 3135 -> new SQLException(text, "63000", code);
            case 12541 -> new SQLException(text, "66000", code);
            case 1407, 8177, 12899, 1591, 1653, 1654, 1555, 1012, 17800 -> new SQLException(text, "72000", code);
            default -> new SQLException(text, "99999", code);
        };
    }
}
