package io.dedupstore.oracle;

import java.sql.SQLException;
import java.util.Locale;

/** Oracle's texts as H2 understands them, and H2's errors as Oracle's. */
final class EmulatedSql {
    private EmulatedSql() {}

    static String translated(String sql) {
        return sql.replace(" SEGMENT CREATION IMMEDIATE", "")
                .replace(" ON COMMIT PRESERVE ROWS", "")
                .replace("DBMS_TRANSACTION.LOCAL_TRANSACTION_ID", "TRANSACTION_ID()")
                .replace("NUMTODSINTERVAL(?, 'SECOND')", "(CAST(? AS INT) * INTERVAL '1' SECOND)");
    }

    /** A statement of Oracle's that changes rows. */
    static boolean changesRows(String sql) {
        String text = sql.stripLeading().toUpperCase(Locale.ROOT);
        return text.startsWith("INSERT") || text.startsWith("UPDATE") || text.startsWith("DELETE");
    }

    static SQLException failure(SQLException h2, boolean serializable, EmulatedFailure.DuplicateText text) {
        return switch (h2.getErrorCode()) {
            case 23505 -> duplicate(h2.getMessage(), text);
            case 23502 -> EmulatedFailure.of(1400);
            case 23506 -> EmulatedFailure.of(2291);
            case 23503 -> EmulatedFailure.of(2292);
            case 23513 -> EmulatedFailure.of(2290);
            case 22001 -> EmulatedFailure.of(12899);
            case 42101 -> EmulatedFailure.of(955);
            case 42102, 42103, 42104 -> EmulatedFailure.of(942);
            case 42122 -> EmulatedFailure.of(904);
            case 42000, 42001, 42606 -> EmulatedFailure.of(900);
            case 22018 -> EmulatedFailure.of(1722);
            case 50200 -> EmulatedFailure.of(1013);
            case 40001 -> EmulatedFailure.of(serializable ? 8177 : 60);
            case 90007, 90067, 90098, 90121 -> EmulatedFailure.of(17008);
            case 90063 -> EmulatedFailure.of(1086);
            default -> throw new AssertionError("The emulator knows no Oracle code for this", h2);
        };
    }

    /** H2 says {@code "OWNER.NAME [INDEX …] ON OWNER.TABLE(COLUMNS) VALUES …"}. */
    private static SQLException duplicate(String message, EmulatedFailure.DuplicateText text) {
        String quoted = message.substring(message.indexOf('"') + 1);
        String constraint = quoted.substring(0, quoted.indexOf(' '));
        int on = quoted.indexOf(" ON ") + 4;
        int open = quoted.indexOf('(', on);
        return text.of(constraint, quoted.substring(on, open), quoted.substring(open + 1, quoted.indexOf(')', open)));
    }
}
