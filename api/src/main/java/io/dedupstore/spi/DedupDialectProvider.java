package io.dedupstore.spi;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * A store module's entry, found by {@link java.util.ServiceLoader}. Implementations are public, have a public constructor
 * without parameters, and are stateless.
 */
public interface DedupDialectProvider {
    /** {@return the module's name for messages, such as {@code dedup-store-sqlite}} */
    String module();

    /**
     * Says whether this module knows the database behind a connection.
     *
     * @param database the connection's metadata
     * @return whether it does
     * @throws SQLException if the metadata cannot be read
     */
    boolean supports(DatabaseMetaData database) throws SQLException;

    /**
     * Makes the dialect for one table.
     *
     * @param connection a connection of the store's source, to look at the server's version and settings; not kept
     * @param table the claim table
     * @return the dialect
     * @throws SQLException if the database cannot be looked at
     */
    DedupDialect dialect(Connection connection, TableName table) throws SQLException;
}
