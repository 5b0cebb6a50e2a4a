package io.dedupstore;

import io.dedupstore.internal.Stores;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Applies each event once in effect, however often it is delivered: in one database transaction a claim row, unique per
 * {@link EventKey}, is inserted and the business change made; only after the commit may the message be acknowledged.
 *
 * <p>There are two ways in. <em>Owned</em> ({@link #claimAndApply}, {@link #consume}): the store opens the transaction,
 * runs the work in it, commits, and runs all of it again after a transient failure. <em>Joined</em> ({@code claim}): the
 * caller opens and ends the transaction; the store adds its claim and nothing else.
 *
 * <p>A store is safe for any number of threads, virtual ones included. It holds no connection between calls. Every call
 * uses one connection.
 */
public interface DedupStore {
    /**
     * Starts a store on a data source. The connections it hands out must not take part in a transaction of somebody else:
     * give the pool itself, not a transaction-aware proxy, and use {@link #claim(Connection, Event)} to join one.
     *
     * @param dataSource where connections come from, normally a pool
     * @return a builder
     */
    static Builder builder(DataSource dataSource) {
        return new Builder(Jdbi.create(Objects.requireNonNull(dataSource, "dataSource")));
    }

    /**
     * Starts a store on a Jdbi: the work gets handles with its mappers and plugins. The store installs one plugin on it,
     * which does nothing to handles that others open. What {@link #builder(DataSource)} says of connections holds here too.
     *
     * @param jdbi where handles come from
     * @return a builder
     */
    static Builder builder(Jdbi jdbi) {
        return new Builder(Objects.requireNonNull(jdbi, "jdbi"));
    }

    /**
     * Claims an event and runs the work, both in one transaction that the store opens, commits and, on any failure, rolls
     * back.
     *
     * <p>The work may run more than once and is committed at most once (rule R2): it must change only what its handle's
     * transaction undoes, and must not commit, roll back or close. After a deadlock, a serialization failure, a lost
     * connection or another transient failure, also one that the work lets through or swallows, all of it runs again as
     * {@link Builder#retry} allows. If the commit's answer is lost, the store asks the database whether it happened.
     *
     * @param event the event
     * @param work the business change; its handle is valid only while it runs
     * @param <R> what the work returns
     * @param <X> what the work throws
     * @return what happened; acknowledge in either case
     * @throws X if the work throws: the very same exception, everything rolled back
     * @throws PayloadConflictException if the key was claimed with another payload
     * @throws HashSchemeException if the stored claim's hash cannot be compared with the event's
     * @throws ClaimInFlightException if another transaction held the key beyond {@link Builder#lockWait}
     * @throws CommitInDoubtException if it could not be found out in time whether the commit happened
     * @throws TransientStoreException if a transient failure outlasted the retries
     * @throws WorkFailedException if the work returned but its transaction could not be committed
     * @throws StoreConfigurationException if the store cannot work as it is set up
     */
    <R extends @Nullable Object, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work)
            throws X;

    /**
     * {@link #claimAndApply} for a listener: says what to do with the message instead of throwing. Failures are logged and
     * told to the {@link DedupListener}.
     *
     * @param event the event
     * @param work the business change, as for {@link #claimAndApply}
     * @param <X> what the work throws
     * @return {@link Disposition#ACK} only if the event is known to be applied
     */
    <X extends Exception> Disposition consume(Event event, HandleCallback<?, X> work);

    /**
     * Claims an event in the caller's transaction. Waits at most {@link Builder#lockWait} for another holder of the key;
     * never commits, never rolls back, leaves no setting changed (rule A7).
     *
     * @param handle a handle with an open transaction
     * @param event the event
     * @return whether to make the business change
     * @throws PayloadConflictException if the key was claimed with another payload; the transaction stays usable
     * @throws HashSchemeException if the stored claim's hash cannot be compared with the event's
     * @throws TransientStoreException if the caller should roll back and run its whole transaction again
     * @throws StoreConfigurationException if the connection is in auto-commit mode or read-only, or the table is not fit
     */
    ClaimResult claim(Handle handle, Event event);

    /**
     * Claims an event in the caller's transaction, as {@link #claim(Handle, Event)} does.
     *
     * @param connection a connection with auto-commit off
     * @param event the event
     * @return whether to make the business change
     */
    ClaimResult claim(Connection connection, Event event);

    /**
     * Looks a committed claim up. To decide whether to apply an event, claim it: a look-up is outdated when it returns.
     *
     * @param key whose claim
     * @return the claim, or empty if there is none
     * @throws TransientStoreException if the database cannot be asked now
     * @throws StoreConfigurationException if the table is not fit
     */
    Optional<Claim> find(EventKey key);

    /** {@return the store's table} */
    DedupSchema schema();

    /** Settings of a store. Not safe for several threads; {@link #build()} may be called more than once. */
    final class Builder {
        private final Jdbi jdbi;
        private Duration lockWait = Duration.ofSeconds(5);
        private RetryPolicy retry = RetryPolicy.defaults();
        private @Nullable TableName table;
        private DedupListener listener = DedupListener.NONE;
        private Predicate<Throwable> permanent = failure -> false;
        private TransactionIsolationLevel isolation = TransactionIsolationLevel.READ_COMMITTED;
        private @Nullable DedupDialect dialect;

        Builder(Jdbi jdbi) {
            this.jdbi = jdbi;
        }

        /**
         * How long a claim waits for another holder of its key, by default 5 s. The database's clock may be coarser. It
         * does not bound the work's own statements.
         *
         * @param bound from 1 ms to 1 h
         * @return this
         * @throws IllegalArgumentException if it is out of these bounds
         */
        public Builder lockWait(Duration bound) {
            if (bound.compareTo(Duration.ofMillis(1)) < 0 || bound.compareTo(Duration.ofHours(1)) > 0) {
                throw new IllegalArgumentException("lockWait is " + bound + "; it must be from 1 ms to 1 h.");
            }
            this.lockWait = bound;
            return this;
        }

        /**
         * How often an owned transaction is run again, by default {@link RetryPolicy#defaults()}.
         *
         * @param policy the policy
         * @return this
         */
        public Builder retry(RetryPolicy policy) {
            this.retry = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /**
         * The table's name, by default {@value TableName#DEFAULT}, with its schema in front if it is not found without.
         *
         * @param name letters, digits and underscores, at most one dot
         * @return this
         * @throws StoreConfigurationException if it is not such a name
         */
        public Builder table(String name) {
            this.table = TableName.of(name);
            return this;
        }

        /**
         * Who is told what happens, by default nobody.
         *
         * @param told the listener
         * @return this
         */
        public Builder listener(DedupListener told) {
            this.listener = Objects.requireNonNull(told, "told");
            return this;
        }

        /**
         * Which of the work's own exceptions, and of the failures it swallowed, make {@link DedupStore#consume} quarantine
         * the message instead of retrying it; by default none.
         *
         * @param rule true for a failure that no redelivery can mend; asked with what {@code claimAndApply} would throw
         * @return this
         */
        public Builder permanentFailure(Predicate<Throwable> rule) {
            this.permanent = Objects.requireNonNull(rule, "rule");
            return this;
        }

        /**
         * The isolation level of owned transactions, by default READ COMMITTED (rule A5). SQLite knows only serializable
         * ones.
         *
         * @param level the level
         * @return this
         */
        public Builder isolation(TransactionIsolationLevel level) {
            this.isolation = Objects.requireNonNull(level, "level");
            return this;
        }

        /**
         * The dialect, by default found by the connection among the store modules on the class path.
         *
         * @param chosen a dialect, which knows its table: do not set {@link #table} too
         * @return this
         */
        public Builder dialect(DedupDialect chosen) {
            this.dialect = Objects.requireNonNull(chosen, "chosen");
            return this;
        }

        /**
         * Builds the store. Unless the dialect is set, a connection is opened to find it.
         *
         * @return the store
         * @throws StoreConfigurationException if no module on the class path knows the database, or settings contradict
         * @throws TransientStoreException if the database cannot be reached
         */
        public DedupStore build() {
            return Stores.build(
                    new Stores.Settings(jdbi, lockWait, retry, listener, permanent, isolation), table, dialect);
        }
    }
}
