package io.dedupstore.mysql;

import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Whether a table keeps the contract (S2). Reads the catalogue only. */
final class MysqlTable {
    private static final List<String> KEY = List.of("tenant", "consumer", "event_id");
    private static final int UTF8 = 4; // bytes of a code point at most

    /** What each column must be, and the bytes or characters that it must hold; 0 if its type says it. */
    private static final Map<String, Column> COLUMNS = Map.of(
            "tenant", new Column(Set.of("varbinary"), EventKey.MAX_TENANT * UTF8),
            "consumer", new Column(Set.of("varbinary"), EventKey.MAX_CONSUMER * UTF8),
            "event_id", new Column(Set.of("varbinary"), EventKey.MAX_EVENT_ID * UTF8),
            "hash_scheme", new Column(Set.of("varchar", "varbinary"), PayloadHash.MAX_SCHEME),
            "payload_hash", new Column(Set.of("varbinary"), PayloadHash.MAX_DIGEST),
            "claim_id", new Column(Set.of("binary"), 16),
            "claimed_at", new Column(Set.of("datetime"), 0));

    private record Column(Set<String> types, long length) {}

    // constants on the right side: for an expression MariaDB would look into every table of every schema
    private static final String HERE = " WHERE table_schema = ? AND table_name = ?";
    private static final String TABLE = "SELECT table_type, engine FROM information_schema.tables" + HERE;
    private static final String COLUMN = "SELECT column_name, data_type, character_maximum_length, datetime_precision,"
            + " is_nullable, column_default, extra FROM information_schema.columns" + HERE;
    private static final String INDEX = "SELECT index_name, column_name, sub_part FROM information_schema.statistics"
            + HERE + " AND non_unique = 0 ORDER BY index_name, seq_in_index";
    private static final String CONSTRAINT = "SELECT constraint_type, constraint_name"
            + " FROM information_schema.table_constraints" + HERE
            + " AND constraint_type IN ('FOREIGN KEY', 'CHECK')";
    private static final String TRIGGER = "SELECT trigger_name FROM information_schema.triggers"
            + " WHERE event_object_schema = ? AND event_object_table = ?";

    private final Connection connection;
    private final TableName table;
    private final String schema;

    private MysqlTable(Connection connection, TableName table) throws SQLException {
        this.connection = connection;
        this.table = table;
        this.schema = table.schema() == null ? database() : table.schema();
    }

    static void requireFit(Connection connection, TableName table) throws SQLException {
        MysqlTable checked = new MysqlTable(connection, table);
        checked.requireTable();
        checked.requireColumns();
        checked.requireKey();
        checked.requireNothingBetween();
    }

    /**
     * Refuses an engine that could not undo a claim, before the first one of a caller's transaction. Unlike the catalogue's
     * tables this question gives the transaction no snapshot.
     */
    static void requireRollback(Connection connection, TableName table, SqlName sqlName) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SHOW CREATE TABLE " + sqlName);
                ResultSet row = statement.executeQuery()) {
            row.next();
            String definition = row.getString(2);
            int options = definition.lastIndexOf("\n) ENGINE=");
            if (options >= 0 && !definition.startsWith("InnoDB", options + "\n) ENGINE=".length())) {
                throw new MysqlTable(connection, table)
                        .unfit("has an engine that cannot undo a claim; it must be InnoDB");
            }
        }
    }

    private String database() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT database()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            String name = row.getString(1);
            if (name == null) {
                throw unfit(
                        "is in no database: the connection's URL names none; name one there, or the table's schema");
            }
            return name;
        }
    }

    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private int each(String sql, Row reader) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            statement.setString(2, table.name());
            try (ResultSet rows = statement.executeQuery()) {
                int count = 0;
                for (; rows.next(); count++) {
                    reader.read(rows);
                }
                return count;
            }
        }
    }

    private void requireTable() throws SQLException {
        int found = each(TABLE, row -> {
            if (!"BASE TABLE".equals(row.getString(1))) {
                throw unfit("is no table of its own; a view or temporary table cannot hold the key");
            }
            if (!"InnoDB".equalsIgnoreCase(row.getString(2))) {
                throw unfit("has the engine " + row.getString(2)
                        + ", which knows no transactions as they are needed; it must be InnoDB");
            }
        });
        if (found == 0) {
            throw unfit("does not exist in this database, or this user has no rights on it");
        }
    }

    private void requireColumns() throws SQLException {
        Set<String> found = new HashSet<>();
        each(COLUMN, row -> {
            String name = row.getString(1).toLowerCase(Locale.ROOT);
            found.add(name);
            Column wanted = COLUMNS.get(name);
            if (wanted == null) {
                requireOptional(name, row);
            } else {
                requireColumn(name, wanted, row);
            }
        });
        for (String name : COLUMNS.keySet()) {
            if (!found.contains(name)) {
                throw unfit("has no column " + name);
            }
        }
    }

    private void requireColumn(String name, Column wanted, ResultSet row) throws SQLException {
        String type = row.getString(2).toLowerCase(Locale.ROOT);
        long length = row.getLong(3);
        if (isGenerated(row)) {
            throw unfit("has a generated column " + name + "; it must be an ordinary one");
        }
        if (!wanted.types().contains(type)) {
            throw unfit("has a column " + name + " of the type " + type + (KEY.contains(name) ? why(type) : "")
                    + "; it must be " + String.join(" or ", wanted.types()).toUpperCase(Locale.ROOT));
        }
        if (length < wanted.length() || (type.equals("binary") && length != wanted.length())) {
            throw unfit("has a column " + name + " for " + length + " bytes; it must be for " + wanted.length());
        }
        if (type.equals("datetime") && row.getInt(4) < 6) {
            throw unfit("has a column " + name + " without microseconds; it must be DATETIME(6)");
        }
    }

    private static String why(String type) {
        return type.equals("binary")
                ? ", which pads with zeros"
                : ", which may compare by a collation under which different ids are one event";
    }

    private void requireOptional(String name, ResultSet row) throws SQLException {
        boolean filled = isGenerated(row)
                || row.getString(6) != null
                || row.getString(7).toLowerCase(Locale.ROOT).contains("auto_increment");
        if (row.getString(5).equals("NO") && !filled) {
            throw unfit("has a further column " + name + " that must not be null and has no default");
        }
    }

    /** Not DEFAULT_GENERATED, which is a default that is an expression. */
    private static boolean isGenerated(ResultSet column) throws SQLException {
        String extra = column.getString(7).toUpperCase(Locale.ROOT);
        return extra.contains("VIRTUAL") || extra.contains("STORED") || extra.contains("PERSISTENT");
    }

    private void requireKey() throws SQLException {
        List<String> primary = new ArrayList<>();
        Set<String> others = new HashSet<>();
        each(INDEX, row -> {
            if (!row.getString(1).equals("PRIMARY")) {
                others.add(row.getString(1));
            } else if (row.getString(3) != null) {
                throw unfit("has a primary key over a part of " + row.getString(2)
                        + " only, under which different ids are one event");
            } else {
                primary.add(row.getString(2).toLowerCase(Locale.ROOT));
            }
        });
        if (!primary.equals(KEY)) {
            throw unfit("has the primary key " + primary + "; it must be (tenant, consumer, event_id): a wider one lets"
                    + " an event be claimed twice, and beside a surrogate key a unique one makes claims of other events"
                    + " wait");
        }
        if (!others.isEmpty()) {
            throw unfit("has a further unique key " + others + ", which would refuse events that are not duplicates;"
                    + " drop it");
        }
    }

    private void requireNothingBetween() throws SQLException {
        each(CONSTRAINT, row -> {
            throw unfit("has the constraint " + row.getString(2) + " (" + row.getString(1)
                    + "), which can refuse a claim; drop it");
        });
        each(TRIGGER, row -> {
            throw unfit("has the trigger " + row.getString(1) + ", which can change or refuse a claim; drop it");
        });
    }

    private StoreConfigurationException unfit(String how) {
        return new StoreConfigurationException("The table " + table + " " + how
                + ". Create it by store.schema().create() or the module's schema.sql; if it is in use, move its rows over to"
                + " one so created.");
    }
}
