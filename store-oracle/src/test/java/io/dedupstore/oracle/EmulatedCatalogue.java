package io.dedupstore.oracle;

import java.util.List;

/** Oracle's functions and catalogue views, as far as the module asks them, over H2's. */
final class EmulatedCatalogue {
    private static final String FUNCTIONS = EmulatedFunctions.class.getName();

    private static final String TYPE = "CASE c.data_type WHEN 'CHARACTER VARYING' THEN 'VARCHAR2'"
            + " WHEN 'CHARACTER' THEN 'CHAR' WHEN 'BINARY VARYING' THEN 'RAW' WHEN 'NUMERIC' THEN 'NUMBER'"
            + " WHEN 'TIMESTAMP' THEN 'TIMESTAMP(6)' WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'TIMESTAMP(6) WITH TIME ZONE'"
            + " WHEN 'CHARACTER LARGE OBJECT' THEN 'CLOB' ELSE c.data_type END";

    static final List<String> SETUP = List.of(
            "SET DEFAULT_LOCK_TIMEOUT 60000",
            "CREATE ALIAS SYS_EXTRACT_UTC FOR '" + FUNCTIONS + ".sysExtractUtc'",
            "CREATE ALIAS SYS_CONTEXT FOR '" + FUNCTIONS + ".sysContext'",
            "CREATE VIEW all_tables AS SELECT t.table_schema AS owner, t.table_name,"
                    + " CASE t.table_type WHEN 'GLOBAL TEMPORARY' THEN 'Y' ELSE 'N' END AS temporary, 'NO' AS read_only"
                    + " FROM INFORMATION_SCHEMA.TABLES t WHERE t.table_type <> 'VIEW'",
            "CREATE VIEW all_tab_columns AS SELECT c.table_schema AS owner, c.table_name, c.column_name, " + TYPE
                    + " AS data_type, c.character_maximum_length AS data_length, c.character_maximum_length AS char_length,"
                    + " 'C' AS char_used, CASE c.is_nullable WHEN 'NO' THEN 'N' ELSE 'Y' END AS nullable,"
                    + " LENGTH(c.column_default) AS default_length FROM INFORMATION_SCHEMA.COLUMNS c",
            "CREATE VIEW all_constraints AS SELECT c.constraint_schema AS owner, c.constraint_name, c.table_name,"
                    + " LEFT(c.constraint_type, 1) AS constraint_type, 'ENABLED' AS status,"
                    + " 'NOT DEFERRABLE' AS deferrable, 'VALIDATED' AS validated"
                    + " FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS c",
            "CREATE VIEW all_cons_columns AS SELECT k.constraint_schema AS owner, k.constraint_name, k.table_name,"
                    + " k.column_name FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE k",
            "CREATE VIEW all_indexes AS SELECT i.index_schema AS owner, i.index_name, i.table_schema AS table_owner,"
                    + " i.table_name, CASE WHEN i.index_type_name IN ('PRIMARY KEY', 'UNIQUE INDEX') THEN 'UNIQUE'"
                    + " ELSE 'NONUNIQUE' END AS uniqueness FROM INFORMATION_SCHEMA.INDEXES i",
            "CREATE VIEW all_ind_columns AS SELECT k.index_schema AS index_owner, k.index_name, k.column_name"
                    + " FROM INFORMATION_SCHEMA.INDEX_COLUMNS k",
            "CREATE TABLE all_triggers (table_owner VARCHAR(128), table_name VARCHAR(128), status VARCHAR(8))",
            "CREATE TABLE all_policies (object_owner VARCHAR(128), object_name VARCHAR(128), enable VARCHAR(3))",
            "CREATE TABLE all_procedures (owner VARCHAR(128), object_name VARCHAR(128))",
            "INSERT INTO all_procedures VALUES ('SYS', 'DBMS_LOCK')");

    private EmulatedCatalogue() {}
}
