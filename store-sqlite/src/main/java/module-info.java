/**
 * The SQLite store.
 *
 * @provides io.dedupstore.spi.DedupDialectProvider
 */
module io.dedupstore.sqlite {
    requires transitive io.dedupstore;
    requires static org.jspecify;
    requires org.xerial.sqlitejdbc;

    exports io.dedupstore.sqlite;

    provides io.dedupstore.spi.DedupDialectProvider with
            io.dedupstore.sqlite.SqliteDialectProvider;
}
