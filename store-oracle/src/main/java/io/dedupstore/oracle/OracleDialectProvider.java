package io.dedupstore.oracle;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Makes dialects for Oracle. Emulated; not yet run on Oracle. */
public final class OracleDialectProvider implements DedupDialectProvider {
    /** For {@link java.util.ServiceLoader}. */
    public OracleDialectProvider() {}

    /**
     * A dialect that bounds the wait for another holder of a key exactly, by the server's own clock, where the default is
     * best effort: each claim first takes a lock of {@code DBMS_LOCK}. {@link io.dedupstore.oracle The package's page} names
     * the grant that it needs, and its limits. All stores that claim in one table should do alike.
     *
     * <pre>{@code
     * DedupStore.builder(dataSource)
     *         .dialect(OracleDialectProvider.withDbmsLock(TableName.of("dedup_claim")))
     *         .build();
     * }</pre>
     *
     * @param table the claim table
     * @return the dialect, for {@link io.dedupstore.DedupStore.Builder#dialect}
     */
    public static DedupDialect withDbmsLock(TableName table) {
        return OracleDialect.locking(table);
    }

    @Override
    public String module() {
        return "dedup-store-oracle";
    }

    @Override
    public boolean supports(DatabaseMetaData database) throws SQLException {
        return database.getDatabaseProductName().equals("Oracle");
    }

    @Override
    public DedupDialect dialect(Connection connection, TableName table) {
        return OracleDialect.plain(table);
    }
}
