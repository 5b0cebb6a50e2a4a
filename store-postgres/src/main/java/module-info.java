/**
 * The PostgreSQL store.
 *
 * @provides io.dedupstore.spi.DedupDialectProvider
 */
module io.dedupstore.postgres {
    requires transitive io.dedupstore;
    requires static org.jspecify;
    requires org.postgresql.jdbc;

    exports io.dedupstore.postgres;

    provides io.dedupstore.spi.DedupDialectProvider with
            io.dedupstore.postgres.PostgresDialectProvider;
}
