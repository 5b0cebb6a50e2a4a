package io.dedupstore.oracle;

import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * An owned transaction. Oracle begins one with the first change, so beginning it costs no round trip, unless the session
 * runs at another isolation level.
 *
 * <p>Closing a connection, and turning auto-commit on, commits what is open on Oracle (A4). So neither is done before a
 * commit or rollback is known to have succeeded.
 */
final class OracleTransaction implements DedupTransaction {
    private final Connection connection;
    private final Claims claims;
    private final Duration lockWait;
    private final boolean autoCommitBefore;
    private final int isolationBefore;
    private final int isolation;
    private boolean ended;

    private OracleTransaction(Connection connection, Claims claims, TransactionOptions options) throws SQLException {
        this.connection = connection;
        this.claims = claims;
        this.lockWait = options.lockWait();
        this.autoCommitBefore = connection.getAutoCommit();
        this.isolationBefore = connection.getTransactionIsolation();
        this.isolation = level(options.isolation());
    }

    static OracleTransaction begin(Connection connection, Claims claims, TransactionOptions options)
            throws SQLException {
        if (connection.isReadOnly()) {
            throw new StoreConfigurationException("The connections that the store gets are read-only. Give it a pool"
                    + " without setReadOnly(true).");
        }
        OracleTransaction transaction = new OracleTransaction(connection, claims, options);
        transaction.changeIsolation(transaction.isolationBefore, transaction.isolation);
        try {
            transaction.changeAutoCommit(false);
        } catch (SQLException | RuntimeException e) {
            transaction.changeIsolation(transaction.isolation, transaction.isolationBefore);
            throw e;
        }
        return transaction;
    }

    /** Oracle has two levels (A5); what is asked for gets the one that keeps all it promises. */
    private static int level(TransactionIsolationLevel asked) {
        return switch (asked) {
            case REPEATABLE_READ, SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
            default -> Connection.TRANSACTION_READ_COMMITTED;
        };
    }

    private void changeIsolation(int from, int to) throws SQLException {
        if (from != to) {
            connection.setTransactionIsolation(to);
        }
    }

    private void changeAutoCommit(boolean to) throws SQLException {
        if (autoCommitBefore) {
            connection.setAutoCommit(to);
        }
    }

    @Override
    public ClaimAnswer claim(NewClaim claim) throws SQLException {
        return claims.claim(connection, claim, lockWait);
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
        ended = true;
    }

    @Override
    public void rollback() throws SQLException {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // the driver's break of an earlier statement can come late, and strike the next call (fact O7)
            if (e.getErrorCode() != OracleErrors.CANCELLED) {
                throw e;
            }
            connection.rollback();
        }
        ended = true;
    }

    @Override
    public void close() throws SQLException {
        if (!ended) {
            throw new SQLException("The transaction may still be open: auto-commit would commit it");
        }
        changeAutoCommit(true);
        changeIsolation(isolation, isolationBefore);
    }
}
