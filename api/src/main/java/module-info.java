/**
 * The contract of dedup-store, its engine, and the service interface of its store modules.
 *
 * @uses io.dedupstore.spi.DedupDialectProvider
 */
module io.dedupstore {
    requires transitive java.sql;
    requires transitive org.jdbi.v3.core;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires static com.fasterxml.jackson.core;
    requires static java.json.canonicalization;
    requires static micrometer.core;

    exports io.dedupstore;
    exports io.dedupstore.spi;
    exports io.dedupstore.micrometer;

    uses io.dedupstore.spi.DedupDialectProvider;
}
