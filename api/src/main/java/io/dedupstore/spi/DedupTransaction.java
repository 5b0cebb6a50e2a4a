package io.dedupstore.spi;

import java.sql.SQLException;

/**
 * An owned transaction, from {@link DedupDialect#begin} on. Used by one thread. The engine calls {@link #commit()} or
 * {@link #rollback()} and then always {@link #close()}.
 */
public interface DedupTransaction extends AutoCloseable {
    /**
     * Commits. Returning means that the commit is known to have succeeded, as far as the driver can tell.
     *
     * @throws SQLException if it failed, or if it is not known whether it did: the kind tells
     */
    void commit() throws SQLException;

    /**
     * Rolls back. Must succeed if the database has already done so by itself.
     *
     * @throws SQLException if it failed; the engine then discards the connection
     */
    void rollback() throws SQLException;

    /**
     * Gives back whatever {@link DedupDialect#begin} took beyond the transaction itself: settings, places in a queue. Does
     * not close the connection. Called once, also after a failed rollback.
     *
     * @throws SQLException if a setting could not be restored; the engine then discards the connection
     */
    @Override
    void close() throws SQLException;
}
