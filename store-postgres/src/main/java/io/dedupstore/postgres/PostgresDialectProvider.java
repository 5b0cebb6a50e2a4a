package io.dedupstore.postgres;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.postgresql.core.TransactionState;

/** Makes dialects for PostgreSQL. */
public final class PostgresDialectProvider implements DedupDialectProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PostgresDialectProvider() {}

    @Override
    public String module() {
        return "dedup-store-postgres";
    }

    @Override
    public boolean supports(DatabaseMetaData database) throws SQLException {
        return database.getDatabaseProductName().equals("PostgreSQL");
    }

    @Override
    public DedupDialect dialect(Connection connection, TableName table) throws SQLException {
        boolean atRest = Driver.of(connection).getTransactionState() == TransactionState.IDLE;
        try {
            return new PostgresDialect(table, SessionSettings.of(connection));
        } finally {
            if (atRest && !connection.getAutoCommit()) {
                connection.rollback(); // ends what only this read has opened (A4)
            }
        }
    }
}
