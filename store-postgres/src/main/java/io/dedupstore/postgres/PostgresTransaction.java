package io.dedupstore.postgres;

import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * An owned transaction. Beginning it costs no round trip: the driver sends BEGIN together with the claim.
 *
 * <p>The driver's {@code commit()} returns normally from an aborted transaction, which the server then rolls back (fact
 * F1), and does nothing where no transaction is open. So the driver's transaction state, which it has from the server's
 * last answer, is looked at before.
 */
final class PostgresTransaction implements DedupTransaction {
    private final PostgresDialect dialect;
    private final Connection connection;
    private final BaseConnection driver;
    private final boolean autoCommitBefore;
    private final String isolation;
    private final Duration lockWait;
    private boolean fresh = true;

    private PostgresTransaction(
            PostgresDialect dialect, Connection connection, BaseConnection driver, String isolation, Duration lockWait)
            throws SQLException {
        this.dialect = dialect;
        this.connection = connection;
        this.driver = driver;
        this.autoCommitBefore = connection.getAutoCommit();
        this.isolation = isolation;
        this.lockWait = lockWait;
    }

    /**
     * Begins.
     *
     * @param isolation the level, as the server writes it
     * @param explicit whether to name the level, for a round trip of its own, since the session's usual one is another
     */
    static PostgresTransaction begin(
            PostgresDialect dialect, Connection connection, String isolation, boolean explicit, Duration lockWait)
            throws SQLException {
        BaseConnection driver = Driver.of(connection);
        requireAtRest(driver);
        if (connection.isReadOnly()) {
            throw new StoreConfigurationException("The connections that the store gets are read-only. Give it a pool"
                    + " without setReadOnly(true).");
        }
        PostgresTransaction transaction = new PostgresTransaction(dialect, connection, driver, isolation, lockWait);
        if (explicit) {
            transaction.beginAtLevel();
        } else if (transaction.autoCommitBefore) {
            connection.setAutoCommit(false);
        }
        return transaction;
    }

    static void requireAtRest(BaseConnection driver) {
        if (driver.getTransactionState() != TransactionState.IDLE) {
            throw new StoreConfigurationException("The connection that the store got is in somebody else's transaction."
                    + " Give the store the pool itself, not a transaction-aware proxy, or join that transaction:"
                    + " store.claim(connection, event).");
        }
    }

    String isolation() {
        return isolation;
    }

    @Override
    public ClaimAnswer claim(NewClaim claim) throws SQLException {
        if (!fresh) {
            return dialect.claim(connection, claim, lockWait);
        }
        fresh = false;
        return dialect.claimFirst(this, connection, claim, lockWait);
    }

    /** Begins again at the level that was asked for (A5); only a fresh transaction has nothing to lose by it. */
    void beginAgain() throws SQLException {
        connection.rollback();
        beginAtLevel();
    }

    /**
     * Not by SET TRANSACTION, which the driver's {@code autosave=always} puts into a savepoint, where it is refused, and
     * not for the session, which a transaction-pooling proxy would hand to others (A7).
     */
    private void beginAtLevel() throws SQLException {
        connection.setAutoCommit(true); // no transaction is open; else the driver would send its own BEGIN before
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL " + isolation);
            connection.setAutoCommit(false);
        } catch (SQLException | RuntimeException e) {
            connection.setAutoCommit(autoCommitBefore);
            throw e;
        }
    }

    @Override
    public void commit() throws SQLException {
        if (driver.getTransactionState() != TransactionState.OPEN) {
            throw new SQLException("The transaction failed or ended before the commit", PostgresErrors.ROLLED_BACK);
        }
        connection.commit();
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        if (driver.isClosed() || connection.getAutoCommit() == autoCommitBefore) {
            return;
        }
        // turning auto-commit on would commit (A4)
        if (driver.getTransactionState() != TransactionState.IDLE) {
            throw new SQLException("The transaction is still open", PostgresErrors.ROLLED_BACK);
        }
        connection.setAutoCommit(autoCommitBefore);
    }
}
