package io.dedupstore.internal;

import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection from the pool, for one attempt. Whatever happens, it is rolled back or committed before it is given back
 * (A4), and not given back usable if that is uncertain.
 */
final class OwnedTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedTransaction.class);

    private final Handle handle;
    private final ConnectionGuard guard;
    private @Nullable DedupTransaction transaction;
    private boolean read;
    private boolean open;
    private boolean suspect;

    OwnedTransaction(GuardPlugin.Guarded guarded) {
        this.handle = guarded.handle();
        this.guard = guarded.guard();
    }

    Handle handle() {
        return handle;
    }

    ConnectionGuard guard() {
        return guard;
    }

    Connection raw() {
        return guard.raw();
    }

    /** Whether a statement by itself is a transaction by itself. */
    boolean inAutoCommit() throws SQLException {
        return raw().getAutoCommit();
    }

    /** The connection, for statements outside of the owned transaction. */
    Connection forReading(DedupDialect dialect) throws SQLException {
        if (!inAutoCommit()) {
            dialect.requireAtRest(raw()); // what the read opens is rolled back: it must not be somebody else's
        }
        read = true;
        return raw();
    }

    void begin(Engine engine, TransactionOptions options) throws SQLException, InterruptedException {
        endRead();
        transaction = engine.dialect().begin(raw(), options);
        open = true;
    }

    /** Ends the transaction that a mere read has opened if the pool hands out connections with auto-commit off. */
    private void endRead() throws SQLException {
        if (read && !raw().getAutoCommit()) {
            raw().rollback();
        }
        read = false;
    }

    /** Claims in the transaction that has begun. */
    ClaimAnswer claim(NewClaim claim) throws SQLException {
        return begun().claim(claim);
    }

    void workBegins(NewClaim made) {
        guard.workBegins(made, begun());
    }

    private DedupTransaction begun() {
        return Objects.requireNonNull(transaction, "transaction");
    }

    /** Commits; if that throws, nothing is known yet and {@link #rollback} or {@link #discard} follows. */
    void commit() throws SQLException {
        if (transaction != null) {
            transaction.commit();
            open = false;
            over();
            callBack(handle::commit);
        }
    }

    /** Rolls back if something is open; a failure is attached to what led here, and the connection discarded. */
    void rollback(@Nullable Throwable because) {
        if (transaction == null || !open) {
            return;
        }
        open = false;
        try {
            transaction.rollback();
        } catch (SQLException | RuntimeException e) {
            discard();
            if (because != null) {
                because.addSuppressed(Redacted.copy(e));
            }
        } finally {
            over();
        }
        callBack(handle::rollback);
    }

    /** The connection is not to be used again. */
    void discard() {
        suspect = true;
    }

    /** Gives back what the transaction took, before Jdbi's callbacks: they may want the next transaction. */
    private void over() {
        guard.transactionOver();
        if (transaction != null) {
            try {
                transaction.close();
            } catch (SQLException | RuntimeException e) {
                discard();
                LOG.debug("A connection's settings could not be restored ({})", Redacted.describe(e));
            }
            transaction = null;
        }
    }

    /** The transaction has ended; what a callback of the handle throws cannot change that any more. */
    private void callBack(Runnable end) {
        if (!guard.workBegan()) {
            return;
        }
        try {
            end.run();
        } catch (Exception | LinkageError | AssertionError e) {
            LOG.warn("A callback of the work's handle failed after the transaction ended ({})", Redacted.describe(e));
        }
        read = guard.usedAfterwards(); // what a callback's statements open is ended at the close
    }

    @Override
    public void close() {
        rollback(null);
        if (transaction != null) {
            discard(); // an Error came between
            over();
        }
        guard.transactionOver();
        try {
            endRead();
        } catch (SQLException | RuntimeException e) {
            discard();
        }
        try {
            if (suspect) {
                raw().abort(Runnable::run);
                raw().createStatement().close(); // fails, and so tells the pool that it gets back a dead connection
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A broken connection could not be aborted ({})", Redacted.describe(e));
        }
        try {
            handle.close();
        } catch (RuntimeException e) {
            LOG.debug("A handle could not be closed cleanly ({})", Redacted.describe(e));
        }
        try {
            guard.closeIfHeldBack();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be closed cleanly ({})", Redacted.describe(e));
        }
    }
}
