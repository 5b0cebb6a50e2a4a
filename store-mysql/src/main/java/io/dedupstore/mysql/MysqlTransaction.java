package io.dedupstore.mysql;

import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An owned transaction. It turns auto-commit off, and not only begins: after a deadlock the server has rolled back, and
 * statements that follow must not be committed each by itself (fact F2).
 *
 * <p>Sessions that have the isolation level and the wait bound already, by their URL, are told nothing. Whether this one
 * does is guessed from the one that the store was built with; the claim itself finds out.
 */
final class MysqlTransaction implements DedupTransaction {
    /** What an owned transaction asks of its dialect. */
    interface Claiming {
        /** Claims, or answers null if the session has other settings. */
        @Nullable
        ClaimAnswer claim(Connection connection, NewClaim claim) throws SQLException;

        /** Gives the session the settings. */
        SessionSettings.Changed set(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private final Claiming claiming;
    private final boolean autoCommitBefore;
    private SessionSettings.@Nullable Changed changed;
    private boolean open = true;

    private MysqlTransaction(Connection connection, Claiming claiming) throws SQLException {
        this.connection = connection;
        this.claiming = claiming;
        this.autoCommitBefore = connection.getAutoCommit();
    }

    static MysqlTransaction begin(Connection connection, Claiming claiming, boolean settle) throws SQLException {
        MysqlTransaction transaction = new MysqlTransaction(connection, claiming);
        if (settle) {
            transaction.changed = claiming.set(connection);
        }
        if (transaction.autoCommitBefore) {
            try {
                connection.setAutoCommit(false);
            } catch (SQLException | RuntimeException e) {
                transaction.restore();
                throw e;
            }
        }
        return transaction;
    }

    @Override
    public ClaimAnswer claim(NewClaim claim) throws SQLException {
        try {
            ClaimAnswer answer = claiming.claim(connection, claim);
            if (answer == null && changed == null) {
                connection.rollback(); // the level counts from the next transaction on
                changed = claiming.set(connection);
                answer = claiming.claim(connection, claim);
            }
            if (answer != null) {
                return answer;
            }
        } catch (SQLException e) {
            if (MysqlErrors.kind(e).reason() == null && connection.isReadOnly()) {
                throw new StoreConfigurationException(
                        "The connections that the store gets are read-only. Give it a pool without setReadOnly(true).");
            }
            throw e;
        }
        throw new StoreConfigurationException("A session does not keep the isolation level and"
                + " innodb_lock_wait_timeout that the store sets. Set both in the pool's URL, by sessionVariables.");
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
        open = false;
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
        open = false;
    }

    @Override
    public void close() throws SQLException {
        if (open) {
            // turning auto-commit on would commit (A4)
            throw new SQLException("The transaction is still open", "25000");
        }
        if (autoCommitBefore) {
            connection.setAutoCommit(true);
        }
        restore();
    }

    private void restore() throws SQLException {
        if (changed != null) {
            changed.restore();
        }
    }
}
