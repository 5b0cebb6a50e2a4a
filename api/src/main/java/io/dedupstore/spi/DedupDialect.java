package io.dedupstore.spi;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.StoreConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * What only one database knows, for one claim table. The engine owns the order of things, the transaction loop and every
 * decision about outcomes; a dialect sends statements and reads answers.
 *
 * <p>Implementations are immutable and safe for any number of threads; each connection is used by one thread at a time.
 * Statements go through plain JDBC with constant texts. No method commits or rolls back, but those of
 * {@link DedupTransaction}. {@link SQLException}s are let through as they come; the engine asks {@link #classify}.
 */
public interface DedupDialect {
    /** {@return the database's name for messages, such as {@code SQLite}} */
    String name();

    /**
     * Called once by a store that is being built, so that a dialect can compare its settings with those of the database
     * and log what would be better otherwise.
     *
     * @param options how the store's owned transactions begin
     */
    default void usedWith(TransactionOptions options) {}

    /** {@return the claim table} */
    TableName table();

    /** {@return the statements that create the claim table if it is missing, each ended by a semicolon at a line's end} */
    String ddl();

    /**
     * Checks the claim table, reading only (rule S2).
     *
     * @param connection any connection
     * @throws StoreConfigurationException if the table is missing or would break the contract, with the remedy
     * @throws SQLException if it cannot be read
     */
    void validate(Connection connection) throws SQLException;

    /**
     * Refuses a connection with auto-commit off that is in a transaction already, if the driver can tell without a round
     * trip: what the store reads on it is rolled back afterwards, and that must not undo what somebody else has done.
     *
     * @param connection a connection as the pool gives it
     * @throws StoreConfigurationException if it is in a transaction
     * @throws SQLException if it cannot be looked at
     */
    default void requireAtRest(Connection connection) throws SQLException {}

    /**
     * Opens an owned transaction on a connection that is in none.
     *
     * @param connection a connection as the pool gives it
     * @param options isolation and wait bound
     * @return the transaction; if this throws, the connection is as it was
     * @throws SQLException if it cannot be opened
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    DedupTransaction begin(Connection connection, TransactionOptions options) throws SQLException, InterruptedException;

    /**
     * Inserts a claim in a caller's transaction, or reads the one that is there, waiting for an undecided holder up to the
     * bound (rules W1, W2). Must leave the transaction usable unless it throws, and session settings as they were (rules
     * A7, A8).
     *
     * @param connection a connection with an open transaction that the caller will end
     * @param claim what to insert
     * @param lockWait the wait bound
     * @return what the database said
     * @throws SQLException of kind {@link FailureKind#LOCK_TIMEOUT} at the bound, else whatever went wrong
     */
    ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException;

    /**
     * Reads a claim without locking it.
     *
     * @param connection any connection
     * @param key whose claim
     * @param lockWait how long to wait at most, on a database on which readers wait for writers
     * @return the claim, or empty
     * @throws SQLException of kind {@link FailureKind#LOCK_TIMEOUT} at the bound, else whatever went wrong
     */
    Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException;

    /**
     * Says whether the transaction is still whole (rule A3). Unless something was suspicious this must not cost a round
     * trip.
     *
     * @param connection the transaction's connection
     * @param claim the claim that this transaction made
     * @param suspicious whether a statement failed since, or the driver's own connection was handed out
     * @return its state
     * @throws SQLException if that cannot be found out, which counts as {@link TransactionState#ENDED}
     */
    TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException;

    /**
     * Says what an exception means, by its vendor code or its SQLState. Only this exception is to be looked at; the engine
     * walks causes.
     *
     * @param failure an exception of this database's driver, or of a pool
     * @return its kind
     */
    FailureKind classify(SQLException failure);

    /**
     * Says whether a statement of the work would end the transaction, so that it is refused before it is sent. Called for
     * every statement that the work prepares.
     *
     * @param sql the statement
     * @return whether it would
     */
    default boolean endsTransaction(String sql) {
        return TransactionStatements.ends(sql);
    }

    /**
     * Says whether a statement of the work can end the transaction from inside, where the store cannot see it, such as a
     * call of a procedure. It is let through, and the transaction is marked before and inspected afterwards. Asked only of
     * what {@link #endsTransaction} has let through.
     *
     * @param sql the statement
     * @return whether it can
     */
    default boolean isOpaque(String sql) {
        return false;
    }

    /**
     * Marks the open transaction before something happens in it that the store cannot watch, so that another one in its
     * place can be told from it. For a database on which {@link #inspect} alone cannot.
     *
     * @param connection the transaction's connection
     * @throws SQLException if it cannot be marked
     */
    default void mark(Connection connection) throws SQLException {}

    /**
     * Says whether the transaction is the one that was marked. Asked once, when the work has ended: it may take away the mark,
     * and the savepoints of the work.
     *
     * @param connection the transaction's connection
     * @return whether it is
     * @throws SQLException if that cannot be found out
     */
    default boolean isMarked(Connection connection) throws SQLException {
        return true;
    }
}
