package io.dedupstore.postgres;

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
import java.util.Map;
import java.util.Set;

/** Whether a table keeps the contract (S2). Reads the catalogue only. */
final class PostgresTable {
    private static final Set<String> KEY = Set.of("tenant", "consumer", "event_id");
    private static final Map<String, Integer> TEXTS = Map.of(
            "tenant", EventKey.MAX_TENANT,
            "consumer", EventKey.MAX_CONSUMER,
            "event_id", EventKey.MAX_EVENT_ID,
            "hash_scheme", PayloadHash.MAX_SCHEME);
    private static final Map<String, String> OTHERS =
            Map.of("payload_hash", "bytea", "claim_id", "uuid", "claimed_at", "timestamptz");

    private static final String TABLE = "SELECT c.oid, c.relkind, c.relpersistence, c.relispartition,"
            + " EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = c.oid), row_security_active(c.oid),"
            + " has_any_column_privilege(c.oid, 'SELECT') AND has_any_column_privilege(c.oid, 'INSERT'),"
            + " EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled <> 'D'),"
            + " EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid), current_setting('server_encoding')"
            + " FROM pg_class c WHERE c.oid = to_regclass(?)";
    private static final String COLUMNS = "SELECT a.attname, t.typname, a.atttypmod, a.attnotnull,"
            + " a.atthasdef OR a.attidentity <> '', coalesce(o.collisdeterministic, true)"
            + " FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation o ON o.oid = a.attcollation"
            + " WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped";
    private static final String UNIQUE_INDEXES = "SELECT i.indexrelid::text, i.indisunique AND NOT i.indisexclusion"
            + " AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL, coalesce(a.attname, ''),"
            + " coalesce(o.collisdeterministic, true)"
            + " FROM pg_index i CROSS JOIN generate_series(0, i.indnkeyatts - 1) AS n"
            + " LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[n]"
            + " LEFT JOIN pg_collation o ON o.oid = i.indcollation[n]"
            + " WHERE i.indrelid = ? AND (i.indisunique OR i.indisexclusion)";

    private final Connection connection;
    private final TableName table;

    private PostgresTable(Connection connection, TableName table) {
        this.connection = connection;
        this.table = table;
    }

    static void requireFit(Connection connection, TableName table, SqlName sqlName) throws SQLException {
        PostgresTable checked = new PostgresTable(connection, table);
        long oid = checked.requireTable(sqlName.table());
        checked.requireColumns(oid);
        checked.requireKey(oid);
    }

    private long requireTable(String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw unfit("does not exist, or not in a schema on the search path");
                }
                String kind = row.getString(2);
                requireKind(kind, row.getString(3), row.getBoolean(4), row.getBoolean(5));
                requireNothingBetween(row);
                return row.getLong(1);
            }
        }
    }

    private void requireKind(String kind, String persistence, boolean partition, boolean parent) {
        if (!kind.equals("r") && !kind.equals("p")) {
            throw unfit("is no table; a view or foreign table cannot hold the key");
        }
        if (!persistence.equals("p")) {
            throw unfit("is unlogged or temporary, so that a crash or the session's end would forget its claims");
        }
        if (partition) {
            throw unfit("is a partition, and its key holds for that partition only; name the partitioned table");
        }
        if (parent && kind.equals("r")) {
            throw unfit("has inheriting tables, over which its key does not hold");
        }
    }

    /** Whatever could make the statements do something else than they say. */
    private void requireNothingBetween(ResultSet row) throws SQLException {
        if (row.getBoolean(6)) {
            throw unfit("has row-level security for this user, which can hide a claim; use a user with BYPASSRLS, or"
                    + " disable it on this table");
        }
        if (!row.getBoolean(7)) {
            throw unfit("may not be used by this user; run GRANT SELECT, INSERT, and for the purge DELETE, on it");
        }
        if (row.getBoolean(8) || row.getBoolean(9)) {
            throw unfit("has a trigger or a rule, which can swallow a claim; drop it");
        }
        if (!row.getString(10).equals("UTF8")) {
            throw unfit("is in a database whose encoding is " + row.getString(10)
                    + ", which cannot hold every id; use a database with the encoding UTF8");
        }
    }

    private void requireColumns(long oid) throws SQLException {
        Set<String> found = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setLong(1, oid);
            try (ResultSet column = statement.executeQuery()) {
                while (column.next()) {
                    found.add(column.getString(1));
                    requireColumn(column);
                }
            }
        }
        for (Set<String> names : Set.of(TEXTS.keySet(), OTHERS.keySet())) {
            for (String name : names) {
                if (!found.contains(name)) {
                    throw unfit("has no column " + name);
                }
            }
        }
    }

    private void requireColumn(ResultSet column) throws SQLException {
        String name = column.getString(1);
        String type = column.getString(2);
        Integer length = TEXTS.get(name);
        String other = OTHERS.get(name);
        boolean hasDefault = column.getBoolean(5);
        if (length != null) {
            requireText(name, type, column.getInt(3), length);
            requireExact(name, column.getBoolean(6));
        } else if (other != null && !type.equals(other)) {
            throw unfit("has a column " + name + " of the type " + type + "; it must be " + other);
        } else if (name.equals("claimed_at") && !hasDefault) {
            throw unfit("has a column claimed_at without a default; it must have DEFAULT clock_timestamp()");
        } else if (other == null && column.getBoolean(4) && !hasDefault) {
            throw unfit("has a further column " + name + " that must not be null and has no default");
        }
    }

    private void requireText(String name, String type, int modifier, int length) {
        int header = 4; // a varchar's modifier counts it
        if (type.equals("bpchar")) {
            throw unfit("has a column " + name + " of the type char(n), under which ids that differ in trailing spaces"
                    + " are one event; it must be text");
        }
        if (!type.equals("text") && !type.equals("varchar")) {
            throw unfit("has a column " + name + " of the type " + type + "; it must be text");
        }
        if (modifier >= 0 && modifier - header < length) {
            throw unfit("has a column " + name + " that is too short: it must hold " + length + " characters");
        }
    }

    private void requireExact(String column, boolean deterministic) {
        if (KEY.contains(column) && !deterministic) {
            throw unfit(
                    "compares " + column + " by a nondeterministic collation, under which different ids are one event;"
                            + " declare it COLLATE \"C\"");
        }
    }

    /** A unique index or exclusion constraint, as far as the contract is concerned. */
    private record UniqueIndex(boolean plain, Set<String> columns) {}

    private void requireKey(long oid) throws SQLException {
        boolean unique = false;
        String wider = "";
        for (UniqueIndex index : uniqueIndexes(oid)) {
            if (index.plain() && index.columns().equals(KEY)) {
                unique = true;
            } else if (index.plain() && index.columns().containsAll(KEY)) {
                wider = ". Its key over " + index.columns() + " is wider, so that one event can be claimed in several"
                        + " partitions or under several values; partition by hash of event_id, or not at all";
            } else if (!index.columns().containsAll(KEY) && !index.columns().contains("claim_id")) {
                throw unfit("has a unique index or exclusion constraint over " + index.columns()
                        + ", which would refuse events that are not duplicates; drop it");
            }
        }
        if (!unique) {
            throw unfit("has no valid primary key or unique index, neither partial nor deferrable, over exactly tenant,"
                    + " consumer and event_id" + wider);
        }
    }

    private Iterable<UniqueIndex> uniqueIndexes(long oid) throws SQLException {
        Map<String, UniqueIndex> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(UNIQUE_INDEXES)) {
            statement.setLong(1, oid);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String column = rows.getString(3);
                    requireExact(column, rows.getBoolean(4));
                    boolean plain = rows.getBoolean(2);
                    found.computeIfAbsent(rows.getString(1), id -> new UniqueIndex(plain, new HashSet<>()))
                            .columns()
                            .add(column);
                }
            }
        }
        return found.values();
    }

    private StoreConfigurationException unfit(String how) {
        return new StoreConfigurationException("The table " + table + " " + how
                + ". Create it by store.schema().create() or the module's schema.sql; if it is in use, move its rows over to"
                + " one so created.");
    }
}
