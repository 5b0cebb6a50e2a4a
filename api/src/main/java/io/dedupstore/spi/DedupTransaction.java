package io.dedupstore.spi;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * An owned transaction, from {@link DedupDialect#begin} on. Used by one thread. The engine claims, lets the work run, calls
 * {@link #commit()} or {@link #rollback()} and then always {@link #close()}.
 */
public interface DedupTransaction extends AutoCloseable {
    /**
     * Inserts a claim, or reads the one that is there, as {@link DedupDialect#claim} does in a caller's transaction; but
     * this one is the store's, so that settings may stay until {@link #close()}. Called again if the row vanished.
     *
     * @param claim what to insert
     * @return what the database said
     * @throws SQLException of kind {@link FailureKind#LOCK_TIMEOUT} at the bound, else whatever went wrong
     */
    ClaimAnswer claim(NewClaim claim) throws SQLException;

    /**
     * Prepares a statement of the work. A dialect whose driver keeps no prepared statements may keep them itself.
     *
     * @param connection the pool's connection, as the work has it
     * @param sql its text
     * @return a statement with nothing bound
     * @throws SQLException if it cannot be prepared
     */
    default PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /**
     * Takes back a statement that {@link #prepare} has made and the work has closed: its rows are closed, it never failed,
     * and nothing but values was set on it.
     *
     * @param sql its text
     * @param statement the statement, which is closed or kept
     * @throws SQLException if it cannot be closed
     */
    default void giveBack(String sql, PreparedStatement statement) throws SQLException {
        statement.close();
    }

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
