/**
 * The PostgreSQL store, on the PostgreSQL JDBC driver (pgjdbc). It is found by itself; nothing here has to be called.
 * Tested on PostgreSQL 15 and 18; from 13 on it has all that it uses.
 *
 * <h2>Rights</h2>
 *
 * <pre>{@code
 * GRANT USAGE ON SCHEMA … TO app;
 * GRANT SELECT, INSERT ON dedup_claim TO app;   -- claims and look-ups
 * GRANT DELETE ON dedup_claim TO janitor;       -- the purge
 * }</pre>
 *
 * {@code store.schema().create()} needs CREATE on the schema. UPDATE is never needed.
 *
 * <h2>Waiting</h2>
 *
 * A claim waits for another holder of its key by {@code lock_timeout}, for the sum of several holders by
 * {@code statement_timeout} 50 ms later. Both are set for the claim's own statements and put back in the same round trip;
 * the work's statements run under the session's. The bound of the store's builder wins over the session's
 * {@code lock_timeout}, be that longer or shorter; a shorter {@code statement_timeout} of the session stays in force and
 * ends the claim as a transient failure with the reason TIMEOUT.
 *
 * <p>If a session's timeouts differ from those that the store met last, a claim costs one more round trip. So give the
 * sessions of one pool the same ones, in its URL or by ALTER ROLE. Likewise, if the sessions' default isolation level is
 * not the store's, beginning a transaction costs one.
 *
 * <h2>Driver and proxies</h2>
 *
 * Any {@code autosave}, {@code prepareThreshold} and {@code preferQueryMode} do. A transaction-pooling proxy does; one that
 * knows no prepared statements (pgbouncer before 1.21) needs {@code prepareThreshold=0}. The pool's connections must lead
 * to the driver's by {@code unwrap}: its transaction state shows what its {@code commit()} hides, that an aborted
 * transaction was rolled back.
 *
 * <h2>Durability</h2>
 *
 * Applied means as durable as {@code synchronous_commit} and {@code fsync} make a commit; leave both on. If a wait for a
 * synchronous standby is cancelled, the driver reports success with a warning, and so does the store: the commit is durable
 * on the primary, and a failover that loses it loses claim and effect together. On a standby, or after a failover on a
 * connection to one, claims fail as READ_ONLY and are tried again on another connection.
 *
 * <h2>Relatives that speak the same protocol</h2>
 *
 * From their documentation and sources; none of them has been tested, and none is supported.
 *
 * <ul>
 *   <li><em>CockroachDB</em> calls itself PostgreSQL to the driver. Its default level is SERIALIZABLE; the claim needs READ
 *       COMMITTED (on by default only in newer releases, before that silently upgraded to SERIALIZABLE, so that a race ends
 *       in SQLState 40001 instead of a duplicate: transient, never wrong). Releases whose {@code set_config} refuses
 *       transaction-local settings refuse the claim itself, with SQLState 0A000, as a configuration error. Advisory locks
 *       do nothing there, so the schema's script does not keep two creators apart. The catalogue that the validation reads
 *       and {@code pg_xact_status} may be missing: a configuration error before the first claim.
 *   <li><em>YugabyteDB</em> waits for a holder only at READ COMMITTED with wait queues
 *       ({@code yb_enable_read_committed_isolation}, {@code enable_wait_queues}); elsewhere a conflict fails at once with
 *       40001. Its release notes say that {@code lock_timeout} had no effect on row locks for long, and that the timeouts
 *       can be late by tens of seconds: the wait bound may not hold. A race of single-row inserts with the same key has
 *       been reported to lose the key's uniqueness error in some releases (issue 19407).
 *   <li><em>Citus</em> wants the distribution column in every unique key, so distribute the table by tenant, consumer or
 *       event_id; the key stays the contract's. The wait happens on a worker, to which settings are not handed on by
 *       default: {@code lock_timeout} does not count there, and the wait ends by {@code statement_timeout} on the
 *       coordinator. A claim and a business row on different workers are committed in two phases, and a reader can see one
 *       before the other.
 * </ul>
 */
@NullMarked
package io.dedupstore.postgres;

import org.jspecify.annotations.NullMarked;
