package io.dedupstore.sqlite;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Makes dialects for SQLite. */
public final class SqliteDialectProvider implements DedupDialectProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SqliteDialectProvider() {}

    @Override
    public String module() {
        return "dedup-store-sqlite";
    }

    @Override
    public boolean supports(DatabaseMetaData database) throws SQLException {
        return database.getDatabaseProductName().equals("SQLite");
    }

    @Override
    public DedupDialect dialect(Connection connection, TableName table) throws SQLException {
        return new SqliteDialect(table, WriterQueue.of(connection, table.schema()));
    }
}
