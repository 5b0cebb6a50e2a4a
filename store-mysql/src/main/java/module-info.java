/**
 * The MySQL and MariaDB store.
 *
 * @provides io.dedupstore.spi.DedupDialectProvider
 */
module io.dedupstore.mysql {
    requires transitive io.dedupstore;
    requires static org.jspecify;
    requires org.slf4j;

    exports io.dedupstore.mysql;

    provides io.dedupstore.spi.DedupDialectProvider with
            io.dedupstore.mysql.MysqlDialectProvider;
}
