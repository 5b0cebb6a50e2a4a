package io.dedupstore.sqlite;

import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConnection;

/**
 * An owned transaction: BEGIN IMMEDIATE and COMMIT as statements, in this JVM's turn. Not the driver's own
 * {@code transaction_mode=IMMEDIATE}: there {@code commit()} begins the next transaction at once, so that a connection at
 * rest holds the file's write lock, and throws BUSY for a commit that was stored (fact F3).
 */
final class SqliteTransaction implements DedupTransaction {
    private static final long PAUSE_NANOS = 1_000_000;

    private final SqliteDialect dialect;
    private final SQLiteConnection connection;
    private final WriterQueue queue;
    private final int usersWait;
    private final Duration commitWait;
    private final boolean autoCommitBefore;

    private SqliteTransaction(
            SqliteDialect dialect,
            SQLiteConnection connection,
            WriterQueue queue,
            int usersWait,
            Duration commitWait,
            boolean autoCommitBefore) {
        this.dialect = dialect;
        this.connection = connection;
        this.queue = queue;
        this.usersWait = usersWait;
        this.commitWait = commitWait;
        this.autoCommitBefore = autoCommitBefore;
    }

    static SqliteTransaction begin(
            SqliteDialect dialect, SQLiteConnection connection, WriterQueue queue, TransactionOptions options)
            throws SQLException, InterruptedException {
        if (queue.isMine()) {
            throw new StoreConfigurationException("The work of an owned claim tried to open a second transaction on the"
                    + " same SQLite file, which would wait for itself. Claim in the work's own transaction instead:"
                    + " store.claim(handle, event).");
        }
        long asked = System.nanoTime();
        if (!queue.enter(options.lockWait())) {
            throw new SqliteErrors.TurnTimeout();
        }
        try {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true); // ends the deferred BEGIN that the driver keeps open at rest
            }
            int usersWait = BusyWait.now(connection);
            Duration left = options.lockWait().minusNanos(System.nanoTime() - asked);
            try (BusyWait bound = BusyWait.of(connection, left, usersWait)) {
                execute(connection, "BEGIN IMMEDIATE");
            } catch (Throwable e) {
                restoreAutoCommit(connection, autoCommit, e);
                throw e;
            }
            // the flag only, no statement: savepoints work, and nobody takes the connection for an auto-commit one
            connection.getConnectionConfig().setAutoCommit(false);
            return new SqliteTransaction(dialect, connection, queue, usersWait, options.lockWait(), autoCommit);
        } catch (Throwable e) {
            queue.leave(); // whatever it is: a turn that is not given back stops every claim on the file
            throw e;
        }
    }

    private static void restoreAutoCommit(SQLiteConnection connection, boolean autoCommit, Throwable because) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    @Override
    public ClaimAnswer claim(NewClaim claim) throws SQLException {
        return dialect.claim(connection, claim);
    }

    /** The driver has no cache of statements, and to prepare an UPDATE anew costs more than to run it. */
    @Override
    public PreparedStatement prepare(Connection pooled, String sql) throws SQLException {
        return bare(pooled) ? Statements.take(connection, sql) : pooled.prepareStatement(sql);
    }

    @Override
    public void giveBack(String sql, PreparedStatement statement) throws SQLException {
        if (statement.getConnection() == connection) {
            statement.clearParameters();
            Statements.giveBack(connection, sql, statement);
        } else {
            statement.close();
        }
    }

    /**
     * Whether nothing of the user's, such as a logger or a tracer of statements, stands between the work and the driver.
     * HikariCP only checks and closes, which the engine's guard does as well.
     */
    private boolean bare(Connection pooled) throws SQLException {
        return pooled == connection
                || (pooled.getClass().getName().startsWith("com.zaxxer.hikari.pool.")
                        && pooled.unwrap(Connection.class) == connection);
    }

    /** Waits for readers that keep a rollback journal from being written, up to the bound (E4). */
    @Override
    public void commit() throws SQLException {
        long asked = System.nanoTime();
        while (true) {
            Duration left = commitWait.minusNanos(System.nanoTime() - asked);
            try (BusyWait bound = BusyWait.of(connection, left, usersWait)) {
                execute(connection, "COMMIT");
                return;
            } catch (SQLException e) {
                // some kinds of busy do not wait by themselves; the transaction is still open after each
                boolean again = SqliteErrors.primary(e) == SqliteErrors.BUSY && !left.isNegative();
                if (!again || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void rollback() throws SQLException {
        try {
            execute(connection, "ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // SQLite may have rolled back by itself: then it can begin again. Else close the connection for real, since
            // a
            // pool would hand it out with the write lock
            try {
                execute(connection, "BEGIN");
                execute(connection, "ROLLBACK");
            } catch (SQLException | RuntimeException stillOpen) {
                connection.close();
                throw e;
            }
        }
    }

    @Override
    public void close() throws SQLException {
        try {
            if (!connection.isClosed()) {
                connection.getConnectionConfig().setAutoCommit(true);
                connection.setAutoCommit(autoCommitBefore);
            }
        } catch (SQLException | RuntimeException e) {
            connection.close(); // for real: the driver's abort() does nothing
            throw e;
        } finally {
            queue.leave();
        }
    }

    private static void execute(SQLiteConnection connection, String sql) throws SQLException {
        Statements.use(connection, sql, PreparedStatement::execute);
    }
}
