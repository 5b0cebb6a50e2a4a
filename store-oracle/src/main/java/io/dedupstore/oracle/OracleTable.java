package io.dedupstore.oracle;

import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a table keeps the contract (S2). Reads the catalogue only, as far as the user may see it. */
final class OracleTable {
    private static final String DIGEST = "KEY_DIGEST";
    private static final Map<String, Integer> TEXTS = Map.of(
            "TENANT", EventKey.MAX_TENANT,
            "CONSUMER", EventKey.MAX_CONSUMER,
            "EVENT_ID", EventKey.MAX_EVENT_ID,
            "HASH_SCHEME", PayloadHash.MAX_SCHEME);
    private static final Map<String, Integer> BYTES =
            Map.of(DIGEST, 32, "PAYLOAD_HASH", PayloadHash.MAX_DIGEST, "CLAIM_ID", 16);
    private static final String TIME = "CLAIMED_AT";

    private static final String OWNER = "SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') FROM dual";
    private static final String TABLE = "SELECT t.temporary, t.read_only, (SELECT COUNT(*) FROM all_triggers g"
            + " WHERE g.table_owner = t.owner AND g.table_name = t.table_name AND g.status = 'ENABLED'),"
            + " (SELECT COUNT(*) FROM all_policies p WHERE p.object_owner = t.owner AND p.object_name = t.table_name"
            + " AND p.enable = 'YES') FROM all_tables t WHERE t.owner = ? AND t.table_name = ?";
    private static final String COLUMNS =
            "SELECT column_name, data_type, data_length, char_length, char_used, nullable,"
                    + " default_length FROM all_tab_columns WHERE owner = ? AND table_name = ?";
    private static final String KEYS = "SELECT c.constraint_name, c.status, c.deferrable, c.validated, k.column_name"
            + " FROM all_constraints c JOIN all_cons_columns k ON k.owner = c.owner"
            + " AND k.constraint_name = c.constraint_name AND k.table_name = c.table_name"
            + " WHERE c.owner = ? AND c.table_name = ? AND c.constraint_type IN ('P', 'U')";
    private static final String UNIQUE_INDEXES = "SELECT i.owner, i.index_name, k.column_name FROM all_indexes i"
            + " JOIN all_ind_columns k ON k.index_owner = i.owner AND k.index_name = i.index_name"
            + " WHERE i.table_owner = ? AND i.table_name = ? AND i.uniqueness = 'UNIQUE'";
    private static final String TRANSACTION = "SELECT DBMS_TRANSACTION.LOCAL_TRANSACTION_ID FROM dual";
    private static final String LOCK =
            "SELECT COUNT(*) FROM all_procedures WHERE owner = 'SYS' AND object_name = 'DBMS_LOCK'";

    private final Connection connection;
    private final TableName table;
    private final String owner;

    private OracleTable(Connection connection, TableName table, String owner) {
        this.connection = connection;
        this.table = table;
        this.owner = owner;
    }

    static List<String> queries() {
        return List.of(OWNER, TABLE, COLUMNS, KEYS, UNIQUE_INDEXES, TRANSACTION, LOCK);
    }

    static void requireFit(Connection connection, TableName table) throws SQLException {
        String schema = table.schema();
        String owner = schema == null ? String.valueOf(value(connection, OWNER)) : OracleSql.upper(schema);
        OracleTable checked = new OracleTable(connection, table, owner);
        checked.requireTable();
        checked.requireColumns();
        checked.requireKey();
        checked.requireNoOtherKey();
        value(connection, TRANSACTION); // the guard asks it after a failure, and must not fail itself then
    }

    /** The package of the locking variant may be used; without the grant it is not to be seen. */
    static void requireLock(Connection connection) throws SQLException {
        if ("0".equals(value(connection, LOCK))) {
            throw new StoreConfigurationException("The dialect with exact waits needs DBMS_LOCK, and this user may not"
                    + " use it; run GRANT EXECUTE ON SYS.DBMS_LOCK to the user as SYS, or use the default dialect.");
        }
    }

    private static @Nullable String value(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /** What is done with the rows of a query about the table. */
    private interface Use {
        void of(ResultSet rows) throws SQLException;
    }

    private void ask(String sql, Use use) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, owner);
            statement.setString(2, OracleSql.upper(table.name()));
            try (ResultSet rows = statement.executeQuery()) {
                use.of(rows);
            }
        }
    }

    private void requireTable() throws SQLException {
        ask(TABLE, row -> {
            if (!row.next()) {
                throw unfit("does not exist in the schema " + owner + ", or this user has no rights on it. A synonym or"
                        + " view does not count: give the builder owner.table");
            }
            if (row.getString(1).equals("Y")) {
                throw unfit("is temporary, so that its claims end with the session");
            }
            if (row.getString(2).equals("YES")) {
                throw unfit("is read-only; run ALTER TABLE … READ WRITE");
            }
            if (row.getInt(3) > 0) {
                throw unfit("has a trigger, which can change a claim; drop it");
            }
            if (row.getInt(4) > 0) {
                throw unfit("has a security policy, which can hide a claim; drop it for this table");
            }
        });
    }

    private void requireColumns() throws SQLException {
        Set<String> found = new HashSet<>();
        ask(COLUMNS, column -> {
            while (column.next()) {
                found.add(column.getString(1));
                requireColumn(column.getString(1), column);
            }
        });
        for (Set<String> names : List.of(TEXTS.keySet(), BYTES.keySet(), Set.of(TIME))) {
            for (String name : names) {
                if (!found.contains(name)) {
                    throw unfit("has no column " + name);
                }
            }
        }
    }

    private void requireColumn(String name, ResultSet column) throws SQLException {
        String type = column.getString(2);
        boolean hasDefault = column.getInt(7) > 0;
        if (BYTES.containsKey(name)) {
            requireBytes(name, type, column.getInt(3), BYTES.get(name));
        } else if (TEXTS.containsKey(name)) {
            requireText(name, type, column, TEXTS.get(name));
        } else if (name.equals(TIME)) {
            if (!type.startsWith("TIMESTAMP") || type.contains("ZONE") || !hasDefault) {
                throw unfit("has a column CLAIMED_AT that is no TIMESTAMP(6) DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP)");
            }
        } else if (column.getString(6).equals("N") && !hasDefault) {
            throw unfit("has a further column " + name + " that must not be null and has no default");
        }
    }

    private void requireBytes(String name, String type, int length, int needed) {
        if (!type.equals("RAW") || length < needed) {
            throw unfit("has a column " + name + " that is no RAW(" + needed + ")");
        }
    }

    /** Characters take up to four bytes each. */
    private void requireText(String name, String type, ResultSet column, int needed) throws SQLException {
        if (!type.equals("VARCHAR2") && !type.equals("NVARCHAR2")) {
            throw unfit("has a column " + name + " of the type " + type + "; it must be VARCHAR2");
        }
        boolean inBytes = "B".equals(column.getString(5));
        if (inBytes ? column.getInt(3) < 4 * needed : column.getInt(4) < needed) {
            throw unfit("has a column " + name + " that is too short: it must be VARCHAR2(" + needed + " CHAR)");
        }
    }

    private void requireKey() throws SQLException {
        String name = OracleSql.keyName(table);
        Set<String> columns = new HashSet<>();
        ask(KEYS, row -> {
            while (row.next()) {
                if (row.getString(1).equals(name)) {
                    requireEnforced(name, row.getString(2), row.getString(3), row.getString(4));
                    columns.add(row.getString(5));
                }
            }
        });
        if (!columns.equals(Set.of(DIGEST))) {
            throw unfit("has no primary key or unique constraint named " + name + " over exactly KEY_DIGEST"
                    + (columns.isEmpty() ? ", by which a duplicate is recognised" : ", but over " + columns)
                    + "; add it, or rename the one that is there by ALTER TABLE … RENAME CONSTRAINT");
        }
    }

    private void requireEnforced(String name, String status, String deferrable, String validated) {
        if (!status.equals("ENABLED") || !deferrable.equals("NOT DEFERRABLE") || !validated.equals("VALIDATED")) {
            throw unfit("has a key " + name + " that is " + status + ", " + deferrable + ", " + validated
                    + "; it must be ENABLED, NOT DEFERRABLE and VALIDATED");
        }
    }

    private void requireNoOtherKey() throws SQLException {
        Map<String, Set<String>> indexes = new LinkedHashMap<>();
        Use collect = rows -> {
            while (rows.next()) {
                indexes.computeIfAbsent(rows.getString(1) + '.' + rows.getString(2), i -> new HashSet<>())
                        .add(rows.getString(3));
            }
        };
        ask(UNIQUE_INDEXES, collect);
        for (Set<String> columns : indexes.values()) {
            if (!columns.contains(DIGEST) && !columns.contains("CLAIM_ID")) {
                throw unfit("has a unique index over " + columns
                        + ", which would refuse events that are not duplicates; drop it");
            }
        }
    }

    private StoreConfigurationException unfit(String how) {
        return new StoreConfigurationException("The table " + table + " " + how
                + ". Create it by store.schema().create() or the module's schema.sql; if it is in use, move its rows over to"
                + " one so created.");
    }
}
