package io.dedupstore.examples.drill;

import io.dedupstore.DedupStore;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Makes the store of a consumer process, by default the plain one. Another class can be named to the drill; it needs a
 * constructor without parameters.
 */
interface StoreMaker {
    /**
     * Makes a store.
     *
     * @param builder all settings of the drill made, but for the table
     * @param pool its connections
     * @param table the claim table
     */
    DedupStore make(DedupStore.Builder builder, DataSource pool, String table) throws SQLException;

    /** The store as it is. */
    final class Plain implements StoreMaker {
        @Override
        public DedupStore make(DedupStore.Builder builder, DataSource pool, String table) {
            return builder.table(table).build();
        }
    }
}
