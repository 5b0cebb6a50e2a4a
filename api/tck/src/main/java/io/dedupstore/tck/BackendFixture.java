package io.dedupstore.tck;

import io.dedupstore.DedupStore;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import javax.sql.DataSource;

/** One real server, as the kit needs it. One fixture serves all tests of a contract class; each uses keys of its own. */
public interface BackendFixture {
    /** {@return connections to one database that is the kit's own, at least 16 at once, auto-commit on} */
    DataSource dataSource();

    /**
     * How many claims wait for another transaction at this moment, by the server's own view of its locks.
     *
     * @return their number
     * @throws SQLException if the server cannot be asked
     */
    int waitingClaims() throws SQLException;

    /**
     * A connection that takes no writes, with auto-commit off.
     *
     * @return an open connection
     * @throws SQLException if it cannot be opened
     */
    Connection readOnlyConnection() throws SQLException;

    /**
     * Tables that look like a claim table and must be refused (S2).
     *
     * @return what is wrong with each, and its statements, in which {@code %s} stands for the table
     */
    Map<String, String> unfitTables();

    /**
     * The driver's own connection, as work that unwraps it would use it.
     *
     * @param connection a connection of the work
     * @return the driver's
     * @throws SQLException if it cannot be had
     */
    Connection driverConnection(Connection connection) throws SQLException;

    /**
     * Makes lock waits of the current transaction's own statements end within a second, until its end.
     *
     * @return the statement; not used where {@link Capability#CONCURRENT_WRITERS} is lacking, since there no transaction
     *     waits for a row
     */
    default String shortLockWait() {
        return "";
    }

    /** {@return the statement that begins a transaction, or an empty one where only the first change does} */
    default String begin() {
        return "BEGIN";
    }

    /** {@return the isolation levels of {@link Connection} at which a transaction keeps its first snapshot (W4)} */
    default List<Integer> snapshotLevels() {
        return List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE);
    }

    /** {@return by how much a wait may outlast its bound (W2): 250 ms, or 1 s where the server counts whole seconds} */
    default Duration allowedOvershoot() {
        return Duration.ofMillis(250);
    }

    /** {@return what this database does not have} */
    default Set<Capability> lacks() {
        return Set.of();
    }

    /**
     * The dialect under test, by default the one that is found for the connection.
     *
     * @param connection a connection of {@link #dataSource()}
     * @param table the claim table
     * @return the dialect
     * @throws SQLException if the server cannot be asked
     */
    default DedupDialect dialect(Connection connection, TableName table) throws SQLException {
        for (DedupDialectProvider provider : ServiceLoader.load(DedupDialectProvider.class)) {
            if (provider.supports(connection.getMetaData())) {
                return provider.dialect(connection, table);
            }
        }
        throw new AssertionError("No dialect provider on the class path supports this connection.");
    }

    /**
     * Builds every store that the kit uses; a place to put something between, as the kit's own tests do.
     *
     * @param builder all settings made
     * @return the store to test
     */
    default DedupStore build(DedupStore.Builder builder) {
        return builder.build();
    }
}
