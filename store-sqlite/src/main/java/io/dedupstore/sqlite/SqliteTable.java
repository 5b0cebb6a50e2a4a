package io.dedupstore.sqlite;

import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether a table keeps the contract (S2). Reads the catalogue only. */
final class SqliteTable {
    private static final List<String> KEY = List.of("tenant", "consumer", "event_id");
    private static final List<String> BLOBS = List.of("payload_hash", "claim_id");
    private static final List<String> OTHERS = List.of("hash_scheme", "claimed_at");

    private static final String COLUMNS = "SELECT lower(name), upper(type) FROM pragma_table_xinfo(?, ?)";
    private static final String UNIQUE_INDEX_COLUMNS =
            "SELECT i.name, i.\"partial\", lower(coalesce(c.name, '')), upper(c.coll)"
                    + " FROM pragma_index_list(?1, ?2) i JOIN pragma_index_xinfo(i.name, ?2) c"
                    + " WHERE i.\"unique\" = 1 AND c.key = 1";
    private final Connection connection;
    private final TableName table;
    private final String schema;

    private SqliteTable(Connection connection, TableName table) {
        this.connection = connection;
        this.table = table;
        this.schema = table.schema() == null ? "main" : table.schema();
    }

    static void requireFit(Connection connection, TableName table) throws SQLException {
        SqliteTable checked = new SqliteTable(connection, table);
        checked.requireColumns();
        checked.requireKey();
        checked.requireNoTrigger();
    }

    private void requireColumns() throws SQLException {
        Map<String, String> affinities = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            bindTable(statement);
            try (ResultSet columns = statement.executeQuery()) {
                while (columns.next()) {
                    affinities.put(columns.getString(1), affinity(columns.getString(2)));
                }
            }
        }
        if (affinities.isEmpty()) {
            throw unfit("does not exist");
        }
        for (String column : KEY) {
            String affinity = affinityOf(column, affinities);
            if (!affinity.equals("TEXT") && !affinity.equals("BLOB")) {
                throw unfit("has a key column " + column + " of " + affinity
                        + " affinity, under which '12' and '0012' are one event; declare it TEXT");
            }
        }
        for (String column : BLOBS) {
            if (!affinityOf(column, affinities).equals("BLOB")) {
                throw unfit("has a column " + column + " that is no BLOB");
            }
        }
        for (String column : OTHERS) {
            affinityOf(column, affinities);
        }
    }

    private String affinityOf(String column, Map<String, String> affinities) {
        String affinity = affinities.get(column);
        if (affinity == null) {
            throw unfit("has no column " + column);
        }
        return affinity;
    }

    /** The rules of sqlite.org/datatype3.html, section 3.1, in their order. */
    private static String affinity(String type) {
        if (type.contains("INT")) {
            return "INTEGER";
        }
        if (type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT")) {
            return "TEXT";
        }
        if (type.isEmpty() || type.contains("BLOB")) {
            return "BLOB";
        }
        boolean real = type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB");
        return real ? "REAL" : "NUMERIC";
    }

    /** A unique index, as far as the contract is concerned. */
    private record UniqueIndex(boolean partial, Set<String> columns) {}

    private void requireKey() throws SQLException {
        boolean unique = false;
        for (UniqueIndex index : uniqueIndexes()) {
            if (index.columns().equals(Set.copyOf(KEY)) && !index.partial()) {
                unique = true;
            } else if (!index.columns().containsAll(KEY) && !index.columns().contains("claim_id")) {
                throw unfit("has a unique index over " + index.columns()
                        + ", which would refuse events that are not duplicates; drop it");
            }
        }
        if (!unique) {
            throw unfit(
                    "has no primary key or unique index over exactly tenant, consumer and event_id, so that an event"
                            + " could be claimed twice");
        }
    }

    private Iterable<UniqueIndex> uniqueIndexes() throws SQLException {
        Map<String, UniqueIndex> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(UNIQUE_INDEX_COLUMNS)) {
            bindTable(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String column = rows.getString(3);
                    requireExact(column, rows.getString(4));
                    boolean partial = rows.getBoolean(2);
                    found.computeIfAbsent(rows.getString(1), name -> new UniqueIndex(partial, new HashSet<>()))
                            .columns()
                            .add(column);
                }
            }
        }
        return found.values();
    }

    private void requireExact(String column, String collation) {
        if (KEY.contains(column) && !collation.equals("BINARY")) {
            throw unfit("compares " + column + " by the collation " + collation
                    + ", under which different ids are one event; declare it COLLATE BINARY");
        }
    }

    /** Also of those that only this connection has. */
    private void requireNoTrigger() throws SQLException {
        String triggers =
                "SELECT 1 FROM " + schema + ".sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = lower(?)"
                        + " UNION ALL SELECT 1 FROM sqlite_temp_master WHERE type = 'trigger' AND lower(tbl_name) = lower(?)";
        try (PreparedStatement statement = connection.prepareStatement(triggers)) {
            statement.setString(1, table.name());
            statement.setString(2, table.name());
            try (ResultSet found = statement.executeQuery()) {
                if (found.next()) {
                    throw unfit("has a trigger, which can swallow a claim; drop it");
                }
            }
        }
    }

    private void bindTable(PreparedStatement statement) throws SQLException {
        statement.setString(1, table.name());
        statement.setString(2, schema);
    }

    private StoreConfigurationException unfit(String how) {
        return new StoreConfigurationException("The table " + table + " " + how
                + ". Create it by store.schema().create() or the module's schema.sql; if it is in use, move its rows over to"
                + " one so created.");
    }
}
