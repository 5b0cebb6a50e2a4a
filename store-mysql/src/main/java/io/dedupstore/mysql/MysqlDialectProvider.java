package io.dedupstore.mysql;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Makes dialects for MySQL and MariaDB. */
public final class MysqlDialectProvider implements DedupDialectProvider {
    /** For {@link java.util.ServiceLoader}. */
    public MysqlDialectProvider() {}

    @Override
    public String module() {
        return "dedup-store-mysql";
    }

    /** MySQL's driver says MySQL of a MariaDB too. */
    @Override
    public boolean supports(DatabaseMetaData database) throws SQLException {
        String product = database.getDatabaseProductName();
        return product.equals("MySQL") || product.equals("MariaDB");
    }

    @Override
    public DedupDialect dialect(Connection connection, TableName table) throws SQLException {
        return new MysqlDialect(table, SessionSettings.Server.of(connection));
    }
}
