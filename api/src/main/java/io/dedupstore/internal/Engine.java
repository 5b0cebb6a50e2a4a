package io.dedupstore.internal;

import io.dedupstore.Claim;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupException;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupSchema;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.HashSchemeException;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jspecify.annotations.Nullable;

/**
 * The one engine, for every dialect. An owned claim is an {@link OwnedClaim}, whose class comment numbers the steps; a
 * joined one, a {@link JoinedClaim}, is its third and fourth step in the caller's transaction. Final, so that no store can change the order.
 */
final class Engine implements DedupStore {
    /** How often a claim is asked for again whose row vanished between the insert and the read (W5). */
    private static final int MOST_VANISHED = 5;

    private final Stores.Settings settings;
    private final DedupDialect dialect;
    private final HarmlessTexts harmless;
    private final Failures failures;
    private final TransactionOptions options;
    private final News news;
    private volatile boolean tableIsFit;

    Engine(Stores.Settings settings, DedupDialect dialect) {
        this.settings = settings;
        this.dialect = dialect;
        this.harmless = new HarmlessTexts(dialect);
        this.failures = new Failures(dialect, settings.lockWait());
        this.news = new News(settings.listener(), settings.permanent());
        this.options = new TransactionOptions(settings.isolation(), settings.lockWait());
        dialect.usedWith(options);
    }

    DedupDialect dialect() {
        return dialect;
    }

    Failures failures() {
        return failures;
    }

    TransactionOptions options() {
        return options;
    }

    Duration lockWait() {
        return settings.lockWait();
    }

    RetryPolicy retry() {
        return settings.retry();
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> Outcome<R> claimAndApply(
            Event event, HandleCallback<R, X> work) throws X {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(work, "work");
        long start = System.nanoTime();
        try {
            Outcome<R> outcome = new OwnedClaim<>(this, event, work).run();
            if (outcome instanceof Outcome.Applied<R> applied) {
                tell(l -> l.applied(event, applied.claimId(), Duration.ofNanos(System.nanoTime() - start)));
            } else if (outcome instanceof Outcome.Duplicate<R> duplicate) {
                news.duplicate(event, duplicate.stored());
            }
            return outcome;
        } catch (Throwable failure) {
            news.failed(event, failure);
            throw failure;
        }
    }

    @Override
    public <X extends Exception> Disposition consume(Event event, HandleCallback<?, X> work) {
        try {
            return Disposition.of(claimAndApply(event, work));
        } catch (Throwable failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return news.disposed(event, failure);
        }
    }

    @Override
    public ClaimResult claim(Handle handle, Event event) {
        return claim(handle.getConnection(), event);
    }

    @Override
    public ClaimResult claim(Connection connection, Event event) {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(event, "event");
        try {
            NewClaim own = new NewClaim(event.key(), event.hash(), UUID.randomUUID());
            Claim stored = new JoinedClaim(this, connection, event, own).run();
            if (stored == null) {
                return new ClaimResult.Claimed(own.claimId());
            }
            requireSamePayload(event, stored);
            news.duplicate(event, stored);
            return new ClaimResult.Duplicate(stored);
        } catch (DedupException failure) {
            news.failed(event, failure);
            throw failure;
        }
    }

    /** A claim being sent, in the store's transaction or in a caller's. */
    interface Claiming {
        ClaimAnswer claim() throws SQLException;
    }

    /** Claims in an open transaction; the claim that stands there already, or null if the new one does. */
    @Nullable
    Claim claimRow(Connection connection, Event event, Claiming claiming) throws SQLException {
        long asked = System.nanoTime();
        try {
            for (int vanished = 0; vanished < MOST_VANISHED; vanished++) {
                ClaimAnswer answer = claiming.claim();
                if (answer instanceof ClaimAnswer.Taken taken) {
                    return taken.claim();
                }
                if (answer == ClaimAnswer.CLAIMED) {
                    return null;
                }
            }
            requireFitTable(connection); // a trigger that swallows rows looks like this
            throw new TransientStoreException(
                    Reason.SERIALIZATION,
                    "The claim of event " + event.key() + " vanished each of " + MOST_VANISHED + " times it was read.",
                    null);
        } finally {
            tell(listener -> listener.lockWait(event, Duration.ofNanos(System.nanoTime() - asked)));
        }
    }

    /** C3 and C6, in this one place: whoever finds a claim, on whatever path, comes through here. */
    void requireSamePayload(Event event, Claim stored) {
        PayloadHash comparable = event.hashUnder(stored.hash().scheme())
                .orElseThrow(() -> new HashSchemeException(stored, event.hash()));
        if (!comparable.equals(stored.hash())) {
            throw new PayloadConflictException(stored, comparable);
        }
    }

    @Override
    public Optional<Claim> find(EventKey key) {
        Objects.requireNonNull(key, "key");
        return read("Event " + key + " could not be looked up", connection -> {
            requireFitTable(connection);
            return dialect.find(connection, key, settings.lockWait());
        });
    }

    @Override
    public DedupSchema schema() {
        return new EngineSchema(this);
    }

    /** What may go wrong with a connection. */
    interface Reading<T> {
        T from(Connection connection) throws SQLException;
    }

    /** Reads on a connection of its own. */
    <T> T read(String whatFailed, Reading<T> reading) {
        try (OwnedTransaction transaction = connect(whatFailed)) {
            return reading.from(transaction.forReading(dialect));
        } catch (SQLException e) {
            throw failures.because(failures.kindOf(e), whatFailed, e);
        }
    }

    /** A connection of the pool, for one attempt. */
    OwnedTransaction open(EventKey key) throws TryAgain {
        try {
            return connect("Event " + key + " could not be claimed: no connection");
        } catch (TransientStoreException e) {
            throw new TryAgain(e);
        }
    }

    OwnedTransaction connect(String whatFailed) {
        try {
            return new OwnedTransaction(GuardPlugin.open(settings.jdbi(), dialect, harmless));
        } catch (RuntimeException e) {
            throw failures.whileConnecting(whatFailed, e);
        }
    }

    /** Checks the table before the first claim: a wrong one would give wrong answers without an error (S2). */
    void requireFitTable(Connection connection) throws SQLException {
        if (!tableIsFit) {
            dialect.validate(connection);
            tableIsFit = true;
        }
    }

    boolean knowsTable() {
        return tableIsFit;
    }

    void tableIsFit() {
        tableIsFit = true;
    }

    TransientStoreException interrupted(EventKey key) {
        return new TransientStoreException(
                Reason.INTERRUPTED,
                "The thread was interrupted while event " + key + " waited to be claimed. Nothing was committed.",
                null);
    }

    FailureKind kindOf(Throwable failure) {
        return failures.kindOf(failure);
    }

    /** Tells the listener something. */
    void tell(Consumer<DedupListener> something) {
        news.tell(something);
    }
}
