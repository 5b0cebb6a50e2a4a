/**
 * The Oracle store. It is found by itself; nothing here has to be called, except for
 * {@link io.dedupstore.oracle.OracleDialectProvider#withDbmsLock exact waits}.
 *
 * <p><strong>Emulated; not yet run on Oracle.</strong> No Oracle server was at hand when this module was made. Its claims
 * rest on Oracle's documentation. Tested are: every statement, by two grammars of Oracle's language; the whole contract, on
 * an emulator that answers as the documentation says; lost connections, with Oracle's own driver. Not tested by anything are
 * the real server's blocking, its timing, its optimizer, rights, RAC. To find out on a server of yours, run
 * {@code verify-on-oracle.sh} of this module's source; until you have, do not rely on it.
 *
 * <h2>Rights</h2>
 *
 * <pre>{@code
 * GRANT SELECT, INSERT ON owner.dedup_claim TO app;   -- claims and look-ups
 * GRANT DELETE ON owner.dedup_claim TO janitor;       -- the purge
 * }</pre>
 *
 * {@code store.schema().create()} needs CREATE TABLE and a quota, and, like all DDL on Oracle, commits. A store whose user is
 * not the owner is given the table as {@code owner.dedup_claim}; synonyms are not looked through. UPDATE is never needed.
 *
 * <h2>The key</h2>
 *
 * The primary key is a digest of tenant, consumer and event id, so that neither {@code NLS_COMP}, {@code NLS_SORT}, the
 * database's character set, length semantics nor the limit of an index key can make two events one. It must be named after
 * the table, {@code DEDUP_CLAIM_PK}, for a duplicate is recognised by that name. The parts are stored beside it, for people:
 *
 * <pre>{@code
 * SELECT * FROM dedup_claim WHERE event_id = 'payment-8731';            -- reads the whole table
 * SELECT * FROM dedup_claim WHERE key_digest = STANDARD_HASH(           -- by the key; the database's charset is AL32UTF8
 *     'default' || CHR(0) || 'billing' || CHR(0) || 'payment-8731', 'SHA256');
 * }</pre>
 *
 * In a database whose character set lacks some of their characters, these three columns show replacements; equality and what
 * {@code find} returns do not change.
 *
 * <h2>Waiting</h2>
 *
 * Oracle has no timeout for the wait for a row. By default a claim's wait is bounded by the driver's query timeout: whole
 * seconds, rounded up, noticed up to a second late, and <em>best effort</em>, since the driver has to break the call off on
 * the server. Where out-of-band breaks are off ({@code DISABLE_OOB=ON}, some firewalls, some container images), breaks can
 * come late or not at all. After such a timeout (ORA-01013) the transaction has to be rolled back: an owned one is, a joined
 * one is the caller's to roll back. A break that comes too late can strike the transaction's next statement, which then fails
 * as a transient TIMEOUT.
 *
 * <p>{@link io.dedupstore.oracle.OracleDialectProvider#withDbmsLock} makes the server keep the bound, to the second, by a
 * lock for each key that is held to the end of the transaction. It needs {@code GRANT EXECUTE ON SYS.DBMS_LOCK TO app}. Its
 * limits: a session holds a few hundred such locks, so that many claims in one transaction fail; the ids are shared with
 * whatever else uses DBMS_LOCK in the database, and two keys can share one, so that once in a while a claim waits for
 * another key, or is in flight though nobody holds its own; a claim of a store without the lock is waited for by query
 * timeout only. Use it in all stores of a table, or in none.
 *
 * <h2>What the work must not do</h2>
 *
 * DDL commits on Oracle, so the work's DDL is refused, as are COMMIT and ROLLBACK, also in PL/SQL blocks. A COMMIT inside a
 * stored procedure or a dynamic statement is not seen; where that is to be feared, let the pool's sessions run
 * {@code ALTER SESSION DISABLE COMMIT IN PROCEDURE}. The driver does not tell whether a transaction is open: a connection in
 * somebody else's transaction would be committed, so give the store the pool itself. Work that commits on the driver's own
 * connection and then goes on writing is not noticed.
 *
 * <h2>Errors</h2>
 *
 * ORA-08177, ORA-00060, ORA-02049 (a distributed lock waited 60 seconds) and ORA-63300 (rolled back for a transaction of
 * higher priority) run an owned transaction again, and are transient for a joined one. Release 23ai writes the values of a
 * violated key into ORA-00001; the store never shows that text, but your own logging of the work's errors may:
 * {@code ALTER SESSION SET ERROR_MESSAGE_DETAILS = OFF}.
 */
@NullMarked
package io.dedupstore.oracle;

import org.jspecify.annotations.NullMarked;
