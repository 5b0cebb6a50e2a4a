package io.dedupstore.internal;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the transaction while the work runs (A3): remembers the failures of its statements, and refuses what would end
 * the transaction, or go on after the database has ended it. The work uses {@link #proxy()}; the store's own statements use
 * {@link #raw()} and pass by.
 *
 * <p>Used by one thread, like its connection.
 */
final class ConnectionGuard {
    private static final String STATE_OWNED = "2D000"; // invalid transaction termination
    private static final String STATE_ENDED = "25000"; // invalid transaction state

    /** What the transaction is about. */
    enum Phase {
        /** Calls pass. */
        BEFORE,
        /** The work runs. */
        WORK,
        /** The transaction has ended: Jdbi may think it ends it, and closes. */
        AFTER
    }

    private final Connection raw;
    private final Connection proxy;
    private final DedupDialect dialect;
    private final HarmlessTexts harmless;
    private final List<SQLException> failures = new ArrayList<>(0);
    private final IdentityHashMap<Savepoint, Integer> failuresBefore = new IdentityHashMap<>(0);
    private final Set<Savepoint> beforeMark = Collections.newSetFromMap(new IdentityHashMap<>(0));
    private final List<Statement> open = new ArrayList<>(2);
    private Phase phase = Phase.BEFORE;
    private @Nullable NewClaim claim;
    private @Nullable DedupTransaction transaction;
    private @Nullable String misuse;
    private boolean failed;
    private boolean unwatched;
    private boolean ended;
    private boolean closeHeldBack;
    private boolean usedAfterwards;

    ConnectionGuard(Connection raw, DedupDialect dialect, HarmlessTexts harmless) {
        this.raw = raw;
        this.dialect = dialect;
        this.harmless = harmless;
        this.proxy = new GuardProxies(this).connection();
    }

    Connection raw() {
        return raw;
    }

    Connection proxy() {
        return proxy;
    }

    Phase phase() {
        return phase;
    }

    void workBegins(NewClaim made, DedupTransaction begun) {
        claim = made;
        transaction = begun;
        phase = Phase.WORK;
    }

    void transactionOver() {
        phase = Phase.AFTER;
    }

    /** A statement is about to run, or something is done with the connection that may lead to one. */
    void used() {
        usedAfterwards |= phase == Phase.AFTER;
    }

    /** Whether a callback of the handle has used the connection since the transaction ended. */
    boolean usedAfterwards() {
        return usedAfterwards;
    }

    boolean workBegan() {
        return claim != null;
    }

    /** What the work did that it must not, or null. */
    @Nullable
    String misuse() {
        return misuse;
    }

    /** The failures that no rollback to a savepoint has undone, in their order. */
    List<SQLException> unhandledFailures() {
        return failures;
    }

    /** The state of the transaction after the work; costs nothing if nothing happened that could have changed it. */
    TransactionState inspect() throws SQLException {
        boolean another = !ended && unwatched && !dialect.isMarked(raw);
        return another ? TransactionState.ENDED : inspectClaim();
    }

    private TransactionState inspectClaim() throws SQLException {
        NewClaim made = claim;
        return ended || made == null ? TransactionState.ENDED : dialect.inspect(raw, made, failed || unwatched);
    }

    PreparedStatement prepare(String sql) throws SQLException {
        return transaction == null ? raw.prepareStatement(sql) : transaction.prepare(raw, sql);
    }

    /** The work has closed a statement that can run again. */
    void giveBack(String sql, PreparedStatement statement) throws SQLException {
        if (transaction == null || phase != Phase.WORK) {
            statement.close();
        } else {
            transaction.giveBack(sql, statement);
        }
    }

    /** The work has a statement, which it should close. */
    void opened(Statement statement) {
        open.add(statement);
    }

    void closed(Object statement) {
        open.removeIf(known -> known == statement);
    }

    /** Closes what the work has left open. */
    void closeStatements() {
        for (Statement statement : List.copyOf(open)) {
            try {
                statement.close();
            } catch (SQLException e) {
                failed(e);
            }
        }
    }

    /** A statement of the work failed. */
    void failed(SQLException failure) {
        if (phase != Phase.WORK) {
            return;
        }
        failures.add(failure);
        failed = true;
        // at once, not only before the commit: on a database that has rolled back by itself the next statement would be
        // committed alone (SQLite) or open another transaction (MySQL); not by the mark, for that question may cost the
        // work the savepoint that it is about to roll back to
        try {
            ended = ended || inspectClaim() == TransactionState.ENDED;
        } catch (SQLException e) {
            ended = true;
        }
    }

    /** The work is about to get hold of the driver's own connection, or to do something else that nobody can watch. */
    void unwatched() throws SQLException {
        if (phase == Phase.WORK && !unwatched) {
            requireGoingOn();
            dialect.mark(raw);
            unwatched = true;
            beforeMark.addAll(failuresBefore.keySet());
        }
    }

    void savepointSet(Savepoint savepoint) {
        failuresBefore.put(savepoint, failures.size());
    }

    /** What failed since the savepoint has been undone on purpose. */
    void rolledBackTo(Savepoint savepoint) throws SQLException {
        Integer before = failuresBefore.get(savepoint);
        if (before != null && before < failures.size()) {
            failures.subList(before, failures.size()).clear();
        }
        markAgainAfter(savepoint);
    }

    void released(Savepoint savepoint) throws SQLException {
        markAgainAfter(savepoint);
    }

    /**
     * What was done with a savepoint from before the mark may have taken the mark away, and shows by its success that this is
     * the same transaction still. One from after the mark does neither.
     */
    private void markAgainAfter(Savepoint savepoint) throws SQLException {
        if (beforeMark.contains(savepoint)) {
            dialect.mark(raw);
        }
    }

    /** Notes a forbidden call, and is what to throw for it. */
    SQLException refuse(String did) {
        if (misuse == null) {
            misuse = did;
        }
        return new SQLException(
                "The work must not " + did + ": the store owns this transaction. It will be rolled back.", STATE_OWNED);
    }

    /** Keeps the connection, so that the transaction can be rolled back. */
    void holdBackClose() {
        closeHeldBack = true;
        if (misuse == null) {
            misuse = "close its handle or connection";
        }
    }

    /** Closes the connection if the work wanted to while it could not be. */
    void closeIfHeldBack() throws SQLException {
        if (closeHeldBack) {
            raw.close();
        }
    }

    void requireGoingOn() throws SQLException {
        if (phase == Phase.WORK && (ended || misuse != null)) {
            throw new SQLException(
                    "This transaction is lost after an earlier failure or a forbidden call; let the work end. It will be"
                            + " rolled back.",
                    STATE_ENDED);
        }
    }

    void requireHarmless(String sql) throws SQLException {
        if (phase != Phase.WORK || harmless.contain(sql)) {
            return;
        }
        if (dialect.endsTransaction(sql)) {
            throw refuse("run a statement that begins or ends a transaction");
        }
        unwatched();
    }
}
