package io.dedupstore.benchmarks;

import javax.sql.DataSource;

/** Who is measured. Each makes the same business change in the same table of the same server. */
public enum Contender {
    /** No protection at all: the limit. */
    BARE {
        @Override
        Consumer open(Database database, DataSource pool) {
            return new HandWritten(pool);
        }
    },
    /** The claim in plain JDBC, as a careful team would write it: key and hash, the stored hash compared. */
    BY_HAND {
        @Override
        Consumer open(Database database, DataSource pool) throws Exception {
            return HandWritten.claiming(database, pool);
        }
    },
    /** This library. */
    DEDUP_STORE {
        @Override
        Consumer open(Database database, DataSource pool) {
            return new Owned(pool, "dedup_claim");
        }
    },
    /** Eventuate Tram's {@code SqlTableBasedDuplicateMessageDetector}. */
    EVENTUATE {
        @Override
        boolean supports(Database database, int threads) {
            return database != Database.SQLITE; // it has no dialect for it
        }

        @Override
        Consumer open(Database database, DataSource pool) throws Exception {
            return new EventuateConsumer(database, pool);
        }
    },
    /** Spring Integration's {@code JdbcMetadataStore} in a {@code TransactionTemplate}. */
    SPRING_INTEGRATION {
        @Override
        boolean supports(Database database, int threads) {
            return database != Database.SQLITE; // which refuses its SQL
        }

        @Override
        Consumer open(Database database, DataSource pool) throws Exception {
            return new SpringConsumer(pool);
        }
    },
    /** Camel's {@code JdbcMessageIdRepository} in an outer transaction. */
    CAMEL {
        @Override
        boolean supports(Database database, int threads) {
            return database != Database.SQLITE || threads == 1; // it reads before it writes, which is refused at once
        }

        @Override
        Consumer open(Database database, DataSource pool) throws Exception {
            return new CamelConsumer(pool);
        }
    };

    /** Whether it runs on a database at all, called by so many threads at once. */
    boolean supports(Database database, int threads) {
        return true;
    }

    /** Opens it, with its tables. */
    abstract Consumer open(Database database, DataSource pool) throws Exception;
}
