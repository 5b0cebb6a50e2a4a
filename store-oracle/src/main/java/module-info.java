/**
 * The Oracle store. Emulated; not yet run on Oracle.
 *
 * @provides io.dedupstore.spi.DedupDialectProvider
 */
module io.dedupstore.oracle {
    requires transitive io.dedupstore;
    requires static org.jspecify;

    exports io.dedupstore.oracle;

    provides io.dedupstore.spi.DedupDialectProvider with
            io.dedupstore.oracle.OracleDialectProvider;
}
