package io.dedupstore.oracle;

import io.dedupstore.spi.TableName;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the violation of one table's key: vendor code 1, and the constraint's name, which ORA-00001 gives in its first
 * parentheses as {@code (OWNER.NAME)}, in every language and release. Release 23ai adds the table, the columns and, on a
 * line of its own, the values: nothing after the name is looked at, and nothing of it may get into a log (E1, E6).
 */
final class ViolatedKey {
    private final @Nullable String owner;
    private final String name;

    ViolatedKey(TableName table) {
        this.owner = table.schema() == null ? null : OracleSql.upper(table.schema());
        this.name = OracleSql.keyName(table);
    }

    boolean isIn(SQLException failure) {
        return OracleErrors.first(failure, this::isExactly) != null;
    }

    private boolean isExactly(SQLException failure) {
        String text = failure.getErrorCode() == OracleErrors.UNIQUE ? failure.getMessage() : null;
        int open = text == null ? -1 : text.indexOf('(');
        int close = text == null ? -1 : text.indexOf(')', open + 1);
        if (text == null || open < 0 || close < 0) {
            return false;
        }
        String constraint = text.substring(open + 1, close).replace("\"", "").strip();
        int dot = constraint.lastIndexOf('.');
        boolean sameOwner =
                owner == null || dot < 0 || constraint.substring(0, dot).equals(owner);
        return sameOwner && constraint.substring(dot + 1).equals(name);
    }
}
