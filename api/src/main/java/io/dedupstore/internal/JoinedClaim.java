package io.dedupstore.internal;

import io.dedupstore.Claim;
import io.dedupstore.Event;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.NewClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * One claim in a caller's transaction, which the caller ends (A7). Nothing is retried: what fails is the caller's to run
 * again, with all else that it did.
 *
 * <p>Used by one thread, once.
 */
final class JoinedClaim {
    private final Engine engine;
    private final Connection connection;
    private final Event event;
    private final NewClaim own;

    JoinedClaim(Engine engine, Connection connection, Event event, NewClaim own) {
        this.engine = engine;
        this.connection = connection;
        this.event = event;
        this.own = own;
    }

    /** The claim that stands there already, or null if the new one does. */
    @Nullable
    Claim run() {
        try {
            requireTransaction();
            return engine.knowsTable() ? claim() : claimFirst();
        } catch (SQLException e) {
            throw engine.failures().whileClaiming(event.key(), e);
        }
    }

    /** A6, before any row is written. */
    private void requireTransaction() throws SQLException {
        if (connection.getAutoCommit()) {
            throw new StoreConfigurationException("The connection is in auto-commit mode, so that the claim of event "
                    + event.key() + " would not be committed with its effect. Call setAutoCommit(false) first, or use"
                    + " claimAndApply.");
        }
        if (connection.isReadOnly()) {
            throw new StoreConfigurationException("The connection is read-only, so that event " + event.key()
                    + " cannot be claimed in its transaction. Begin a transaction that may write.");
        }
    }

    private @Nullable Claim claim() throws SQLException {
        return engine.claimRow(connection, event, () -> engine.dialect().claim(connection, own, engine.lockWait()));
    }

    /**
     * The first claim, of a table that nobody has looked at. It is looked at afterwards: a read before the claim would give
     * the caller's transaction a snapshot that it did not have, and SQLite then refuses to wait. A table that is not fit
     * must not keep the claim, whatever the caller does with its transaction.
     */
    private @Nullable Claim claimFirst() throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            Claim stored = claim();
            engine.requireFitTable(connection);
            release(before);
            return stored;
        } catch (StoreConfigurationException e) {
            undo(before, e);
            throw e;
        } catch (SQLException e) {
            if (engine.kindOf(e).reason() == null) {
                undo(before, e);
                engine.requireFitTable(connection); // says more than a failed statement
            }
            throw e;
        }
    }

    private void release(Savepoint savepoint) throws SQLException {
        try {
            connection.releaseSavepoint(savepoint);
        } catch (SQLFeatureNotSupportedException e) {
            return; // Oracle's driver: a savepoint ends with its transaction
        }
    }

    private void undo(Savepoint before, Exception because) {
        try {
            connection.rollback(before);
        } catch (SQLException e) {
            because.addSuppressed(Redacted.copy(e));
        }
    }
}
