package io.dedupstore.internal;

import io.dedupstore.Claim;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupException;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jdbi.v3.core.HandleCallback;
import org.jspecify.annotations.Nullable;

/**
 * One owned claim, from the call to its outcome. Each attempt:
 *
 * <ol>
 *   <li>takes a connection from the pool; if the event is redelivered, looks its claim up first, without a transaction;
 *   <li>begins the transaction;
 *   <li>inserts the claim, or reads the one that is there, waiting for an undecided holder up to the bound;
 *   <li>judges a claim that is there: rolls back, and the answer is duplicate or conflict;
 *   <li>runs the work under a guard;
 *   <li>makes sure that the transaction still is the one in which the claim was made;
 *   <li>commits: only now the event is applied.
 * </ol>
 *
 * After a transient failure in any of them the transaction is rolled back and the next attempt begins, as the retry policy
 * allows. If the commit's answer was lost, the next attempt's claim resolves it: it finds the lost attempt's own claim id
 * (applied), another's (duplicate or conflict), or claims the key, which proves that the lost commit did not happen and
 * cannot any more, since it would need the same unique key.
 *
 * <p>Used by one thread, once.
 */
final class OwnedClaim<R extends @Nullable Object, X extends Exception> {
    private final Engine engine;
    private final Event event;
    private final HandleCallback<R, X> work;
    private final Doubts<R> doubts;
    private final Attempts attempts;
    private boolean lookFirst;

    OwnedClaim(Engine engine, Event event, HandleCallback<R, X> work) {
        this.engine = engine;
        this.event = event;
        this.work = work;
        this.lookFirst = event.redelivered();
        this.attempts = new Attempts(engine, event);
        this.doubts = new Doubts<>(engine, event);
    }

    Outcome<R> run() throws X {
        while (true) {
            try {
                return attempt();
            } catch (TryAgain again) {
                attempts.pauseOrGiveUp(again.failure(), doubts.any());
            } catch (StoreConfigurationException | TransientStoreException failure) {
                // while a commit is in doubt the question stays open, whatever the database says to it (R3)
                if (!doubts.any()) {
                    throw attempts.lastly(failure);
                }
                attempts.pauseOrGiveUp(failure, true);
            } catch (Throwable permanent) {
                throw attempts.lastly(permanent);
            }
        }
    }

    private Outcome<R> attempt() throws X, TryAgain {
        try (OwnedTransaction transaction = engine.open(event.key())) { // 1
            Claim seen = lookFirst && engine.knowsTable() ? lookUp(transaction) : null;
            if (seen != null) {
                return judge(seen);
            }
            begin(transaction); // 2
            NewClaim own = new NewClaim(event.key(), event.hash(), UUID.randomUUID());
            Claim stored = claim(transaction, own); // 3
            if (stored != null) {
                transaction.rollback(null);
                return judge(stored); // 4
            }
            lostCommitsDidNotHappen(transaction);
            R result = work(transaction, own); // 5
            requireWhole(transaction); // 6
            commit(transaction, own, result); // 7
            return new Outcome.Applied<>(own.claimId(), result);
        }
    }

    /**
     * The hint is worth one read and no wait: what that does not tell, the claim will. Not on a connection with auto-commit
     * off, on which the read would open a transaction that has to be ended, which costs as much as the claim.
     */
    private @Nullable Claim lookUp(OwnedTransaction transaction) throws TryAgain {
        lookFirst = false;
        try {
            return transaction.inAutoCommit()
                    ? engine.dialect()
                            .find(transaction.raw(), event.key(), Duration.ZERO)
                            .orElse(null)
                    : null;
        } catch (SQLException e) {
            if (engine.failures().kindOf(e) == FailureKind.LOCK_TIMEOUT) {
                return null;
            }
            throw failedWhileClaiming(transaction, e);
        }
    }

    private void begin(OwnedTransaction transaction) throws TryAgain {
        long asked = System.nanoTime();
        try {
            transaction.begin(engine, engine.options());
            engine.requireFitTable(transaction.raw());
        } catch (SQLException e) {
            if (engine.failures().kindOf(e) == FailureKind.LOCK_TIMEOUT) {
                engine.tell(listener -> listener.lockWait(event, Duration.ofNanos(System.nanoTime() - asked)));
            }
            throw failedWhileClaiming(transaction, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TryAgain(engine.interrupted(event.key()));
        }
    }

    private @Nullable Claim claim(OwnedTransaction transaction, NewClaim own) throws TryAgain {
        try {
            return engine.claimRow(transaction.raw(), event, () -> transaction.claim(own));
        } catch (SQLException e) {
            throw failedWhileClaiming(transaction, e);
        }
    }

    /** The claim that stands there is a lost attempt's own, or the event was applied before, or it conflicts. */
    private Outcome<R> judge(Claim stored) {
        Outcome<R> lost = doubts.resolvedBy(stored);
        if (lost != null) {
            return lost;
        }
        engine.requireSamePayload(event, stored);
        return new Outcome.Duplicate<>(stored);
    }

    private void lostCommitsDidNotHappen(OwnedTransaction transaction) {
        DedupException permanent = doubts.didNotHappen();
        if (permanent != null) {
            transaction.rollback(permanent);
            throw permanent;
        }
    }

    private R work(OwnedTransaction transaction, NewClaim own) throws X, TryAgain {
        transaction.workBegins(own);
        try {
            R result = work.withHandle(transaction.handle());
            transaction.guard().closeStatements(); // an unread result would keep SQLite from committing
            return result;
        } catch (Error error) {
            transaction.rollback(error);
            throw error;
        } catch (Throwable failure) {
            transaction.rollback(failure);
            if (workFailureKind(transaction, failure).retried()) {
                throw new TryAgain(failure);
            }
            throw failure;
        }
    }

    /** What made the work fail: what the guard saw counts first, for the work may have thrown something else for it. */
    private FailureKind workFailureKind(OwnedTransaction transaction, Throwable thrown) {
        for (SQLException seen : transaction.guard().unhandledFailures()) {
            FailureKind kind = engine.failures().kindOf(seen);
            if (kind.retried()) {
                return brokenConnection(transaction, kind);
            }
        }
        return engine.failures().kindOf(thrown); // perhaps of another database: no reason to discard this connection
    }

    /** Of what the work swallowed, the failure that says most: one that another run may not meet, or the first. */
    private @Nullable SQLException worst(ConnectionGuard guard) {
        SQLException worst = null;
        FailureKind worstKind = FailureKind.OTHER;
        for (SQLException seen : guard.unhandledFailures()) {
            FailureKind kind = engine.failures().kindOf(seen);
            boolean worse =
                    (worstKind.reason() == null && kind.reason() != null) || (!worstKind.retried() && kind.retried());
            if (worst == null || worse) {
                worst = seen;
                worstKind = kind;
            }
        }
        return worst;
    }

    private void requireWhole(OwnedTransaction transaction) throws TryAgain {
        ConnectionGuard guard = transaction.guard();
        TransactionState state;
        try {
            state = guard.misuse() == null ? guard.inspect() : TransactionState.ENDED;
        } catch (SQLException e) {
            throw failedWhileClaiming(transaction, e);
        }
        SQLException swallowed = worst(guard);
        FailureKind kind = swallowed == null
                ? FailureKind.OTHER
                : brokenConnection(transaction, engine.failures().kindOf(swallowed));
        // a swallowed failure that left the transaction whole was handled on purpose, unless it is one that another run
        // may not meet: then the work could have done what it left out
        if (state == TransactionState.WHOLE && kind.reason() == null) {
            return;
        }
        DedupException refusal = Refusal.of(event.key(), guard, swallowed, kind);
        transaction.rollback(refusal);
        if (guard.misuse() == null && kind.retried()) {
            throw new TryAgain(refusal);
        }
        throw refusal;
    }

    private void commit(OwnedTransaction transaction, NewClaim own, R result) throws TryAgain {
        try {
            transaction.commit();
        } catch (SQLException | RuntimeException e) {
            FailureKind kind = engine.failures().kindOf(e);
            switch (kind) {
                case DEADLOCK, SERIALIZATION, LOCK_TIMEOUT, BUSY, READ_ONLY -> {
                    // the database has answered: not committed (E4)
                    DedupException refused =
                            engine.failures().because(kind, "Event " + event.key() + " could not be committed", e);
                    brokenConnection(transaction, kind);
                    transaction.rollback(refused);
                    throw new TryAgain(refused);
                }
                case CONSTRAINT -> {
                    DedupException refused = new WorkFailedException(
                            "The work of event " + event.key() + " left rows that a constraint refused at the commit ("
                                    + Redacted.describe(e) + "). All was rolled back.",
                            Redacted.copy(e));
                    transaction.rollback(refused); // E3
                    throw refused;
                }
                default -> {
                    doubts.add(own.claimId(), result, kind, e); // R3
                    transaction.discard();
                    transaction.rollback(null);
                    throw new TryAgain(Redacted.copy(e));
                }
            }
        }
    }

    private TryAgain failedWhileClaiming(OwnedTransaction transaction, SQLException e) throws TryAgain {
        DedupException failure = engine.failures().whileClaiming(event.key(), e);
        FailureKind kind = brokenConnection(transaction, engine.failures().kindOf(e));
        transaction.rollback(failure);
        // at the wait bound the caller has waited long enough (W2)
        if (kind.retried() && !(failure instanceof ClaimInFlightException)) {
            return new TryAgain(failure);
        }
        throw failure;
    }

    private static FailureKind brokenConnection(OwnedTransaction transaction, FailureKind kind) {
        if (kind == FailureKind.CONNECTION || kind == FailureKind.READ_ONLY) {
            transaction.discard();
        }
        return kind;
    }
}
