package io.dedupstore.internal;

import io.dedupstore.Claim;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.CommitInDoubtException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.HandleCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOG = LoggerFactory.getLogger(OwnedClaim.class);

    /** A commit whose answer was lost. */
    private record Doubt<R extends @Nullable Object>(UUID claimId, R result, FailureKind kind, Throwable failure) {}

    private final Engine engine;
    private final Event event;
    private final HandleCallback<R, X> work;
    private final List<Doubt<R>> doubts = new ArrayList<>(0);
    private final List<Throwable> failures = new ArrayList<>(0);
    private boolean lookFirst;

    OwnedClaim(Engine engine, Event event, HandleCallback<R, X> work) {
        this.engine = engine;
        this.event = event;
        this.work = work;
        this.lookFirst = event.redelivered();
    }

    Outcome<R> run() throws X {
        long start = System.nanoTime();
        while (true) {
            try {
                return attempt();
            } catch (TryAgain again) {
                failures.add(again.failure());
                pauseOrGiveUp(start);
            } catch (StoreConfigurationException | TransientStoreException failure) {
                // while a commit is in doubt the question stays open, whatever the database says to it (R3)
                if (doubts.isEmpty()) {
                    throw withEarlierFailures(failure);
                }
                failures.add(failure);
                pauseOrGiveUp(start);
            } catch (Throwable permanent) {
                throw withEarlierFailures(permanent);
            }
        }
    }

    private Outcome<R> attempt() throws X, TryAgain {
        try (OwnedTransaction transaction = engine.open(event.key())) { // 1
            Claim seen = lookFirst ? lookUp(transaction) : null;
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

    private @Nullable Claim lookUp(OwnedTransaction transaction) throws TryAgain {
        lookFirst = false;
        try {
            engine.requireFitTable(transaction);
            Optional<Claim> found = engine.dialect().find(transaction.forReading(), event.key());
            return found.orElse(null);
        } catch (SQLException e) {
            throw failedWhileClaiming(transaction, e);
        }
    }

    private void begin(OwnedTransaction transaction) throws TryAgain {
        long asked = System.nanoTime();
        try {
            engine.requireFitTable(transaction);
            transaction.begin(engine, engine.options());
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
            return engine.claimRow(transaction.raw(), event, own);
        } catch (SQLException e) {
            throw failedWhileClaiming(transaction, e);
        }
    }

    /** The claim that stands there is a lost attempt's own, or the event was applied before, or it conflicts. */
    private Outcome<R> judge(Claim stored) {
        for (Doubt<R> doubt : doubts) {
            if (doubt.claimId().equals(stored.claimId())) {
                return new Outcome.Applied<>(doubt.claimId(), doubt.result());
            }
        }
        engine.requireSamePayload(event, stored);
        return new Outcome.Duplicate<>(stored);
    }

    private void lostCommitsDidNotHappen(OwnedTransaction transaction) {
        if (doubts.isEmpty()) {
            return;
        }
        Doubt<R> last = doubts.get(doubts.size() - 1);
        doubts.clear();
        if (!last.kind().retried()) {
            String what = "Event " + event.key() + " could not be committed";
            DedupException permanent = last.kind().reason() == null
                    ? new WorkFailedException(
                            what + " (" + Redacted.describe(last.failure()) + "); nothing of it is stored.",
                            Redacted.copy(last.failure()))
                    : engine.failures().because(last.kind(), what, last.failure());
            transaction.rollback(permanent);
            throw permanent;
        }
    }

    private R work(OwnedTransaction transaction, NewClaim own) throws X, TryAgain {
        transaction.guard().workBegins(own);
        try {
            return work.withHandle(transaction.handle());
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
        return brokenConnection(transaction, engine.failures().kindOf(thrown));
    }

    private void requireWhole(OwnedTransaction transaction) throws TryAgain {
        ConnectionGuard guard = transaction.guard();
        TransactionState state;
        try {
            state = guard.misuse() == null ? guard.inspect() : TransactionState.ENDED;
        } catch (SQLException e) {
            throw failedWhileClaiming(transaction, e);
        }
        SQLException swallowed = guard.unhandledFailure();
        FailureKind kind = swallowed == null ? FailureKind.OTHER : workFailureKind(transaction, swallowed);
        // a swallowed failure that left the transaction whole was handled on purpose, unless it is one that another run
        // may not meet: then the work could have done what it left out
        if (state == TransactionState.WHOLE && kind.reason() == null) {
            return;
        }
        DedupException refusal = refusal(guard, swallowed, kind);
        transaction.rollback(refusal);
        if (guard.misuse() == null && kind.retried()) {
            throw new TryAgain(refusal);
        }
        throw refusal;
    }

    private DedupException refusal(ConnectionGuard guard, @Nullable SQLException swallowed, FailureKind kind) {
        String event = "The work of event " + this.event.key();
        if (guard.misuse() != null) {
            return new WorkFailedException(
                    event + " tried to " + guard.misuse() + ". The store owns the transaction: let the work only change"
                            + " data and return, or throw to undo it. All was rolled back.",
                    null);
        }
        if (swallowed == null) {
            return new WorkFailedException(
                    event + " returned, but its transaction had ended or failed under it: it used the driver's own"
                            + " connection to end it, or swallowed a failure there. All that could be was rolled back.",
                    null);
        }
        if (kind.reason() != null) {
            return new TransientStoreException(
                    kind.reason(),
                    event + " swallowed a failure (" + Redacted.describe(swallowed) + "): "
                            + Failures.sentence(kind.reason()) + " All was rolled back.",
                    Redacted.copy(swallowed));
        }
        return new WorkFailedException(
                event + " swallowed a failure that broke its transaction (" + Redacted.describe(swallowed)
                        + "). Let it through, or roll back to a savepoint set before it. All was rolled back.",
                Redacted.copy(swallowed));
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
                    doubts.add(new Doubt<>(own.claimId(), result, kind, e)); // R3
                    engine.tell(listener -> listener.inDoubt(event, own.claimId()));
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

    private void pauseOrGiveUp(long start) throws X {
        int failed = failures.size();
        Throwable last = failures.get(failed - 1);
        Duration pause = engine.retry().pauseAfter(failed);
        long nextBegins = System.nanoTime() - start + pause.toNanos();
        boolean exhausted = failed >= engine.retry().attempts() && doubts.isEmpty();
        boolean interrupted = Thread.currentThread().isInterrupted(); // R4
        if (exhausted || interrupted || nextBegins > engine.retry().deadline().toNanos()) {
            throw giveUp(last);
        }
        LOG.debug(
                "Event {}: attempt {} failed ({}), next in {} ms",
                event.key(),
                failed,
                Redacted.describe(last),
                pause.toMillis());
        engine.tell(listener -> listener.retry(event, failed, pause, last));
        try {
            Thread.sleep(pause.toMillis(), pause.toNanosPart() % 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw giveUp(last);
        }
    }

    private RuntimeException giveUp(Throwable last) throws X {
        if (!doubts.isEmpty()) {
            throw withEarlierFailures(new CommitInDoubtException(event.key(), last));
        }
        throw withEarlierFailures(last);
    }

    /** Throws a failure as it is: it is the store's own, or came out of the work and so is an X, or unchecked. */
    private RuntimeException withEarlierFailures(Throwable failure) throws X {
        for (Throwable earlier : failures) {
            if (earlier != failure && earlier != failure.getCause()) {
                failure.addSuppressed(earlier);
            }
        }
        throw OwnedClaim.<RuntimeException>asItIs(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException asItIs(Throwable failure) throws T {
        throw (T) failure;
    }
}
