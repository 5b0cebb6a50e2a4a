/**
 * The MySQL and MariaDB store, on MySQL's driver (Connector/J) or MariaDB's. It is found by itself; nothing here has to be
 * called. Tested on MySQL 8.0.12 and 9.7 and MariaDB 11.4, with Connector/J 8.4 and 26.10 and MariaDB's driver 3.5. The
 * drivers are the application's: no class of theirs is used.
 *
 * <h2>The pool's URL</h2>
 *
 * <pre>{@code
 * jdbc:mysql://…?useLocalSessionState=true
 *     &sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5
 * jdbc:mariadb://…?sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5
 * }</pre>
 *
 * Sessions then have what the store needs (the second number is the store's {@code lockWait} in whole seconds), and an owned
 * claim costs one round trip more than the same transaction without a store. In other sessions it is right as well, but
 * notes their settings, sets its own and puts them back, for two round trips more; a store that is built on such a pool logs
 * one warning. A session that differs from the one the store was built with is noticed by the claim itself. MariaDB before
 * 11.1 calls the level {@code tx_isolation}.
 *
 * <p>{@code useLocalSessionState} spares Connector/J its question whether the connection is read-only, once per joined
 * claim. A pool that hands out connections with auto-commit off saves two round trips per owned claim, and as many per
 * transaction of your own; but there a redelivered duplicate costs three instead of one. No other option of the drivers
 * changes a result: {@code useAffectedRows}, {@code rewriteBatchedStatements}, {@code useServerPrepStmts},
 * {@code cachePrepStmts}, {@code allowMultiQueries}, {@code jdbcCompliantTruncation}, a {@code sql_mode} that is not strict.
 *
 * <h2>Rights</h2>
 *
 * <pre>{@code
 * GRANT SELECT, INSERT ON dedup_claim TO app;   -- claims and look-ups
 * GRANT LOCK TABLES ON shop.* TO app;           -- on MySQL 8.0.12 only
 * GRANT DELETE ON dedup_claim TO janitor;       -- the purge
 * }</pre>
 *
 * The claim of a duplicate is read under a shared lock, for which MySQL 8.0.12 wants a right that can be given for a whole
 * database only. {@code store.schema().create()} needs CREATE. A server that replicates by statements refuses READ COMMITTED; the format
 * must be ROW, its default.
 *
 * <h2>Waiting</h2>
 *
 * A claim waits for another holder of its key by {@code innodb_lock_wait_timeout}, which counts whole seconds from 1 on;
 * {@code lockWait} is rounded up. MySQL 8.0.12 looks once a second and cuts off fractions, so it may wait almost two seconds
 * longer; 9.7 and MariaDB are exact. Not bounded by it is the wait for the table itself, while somebody alters or locks it:
 * the server's {@code lock_wait_timeout} does that, with a default of a year on MySQL and a day on MariaDB.
 *
 * <p>When a holder rolls back, the server makes all its waiters but one victims of a deadlock: an owned claim runs again, and
 * does not show it; a joined one ends in a transient error, and its caller's whole transaction is gone.
 *
 * <p>A joined claim that is a duplicate keeps a shared lock on that claim's row until its transaction ends. Claims of other
 * events do not wait for it, with one exception: on MySQL 8.0.12 at REPEATABLE READ or SERIALIZABLE the gap below the row is
 * locked too. Join at READ COMMITTED there.
 *
 * <p>At REPEATABLE READ a joined claim finds a winner that was committed after its snapshot, and is a duplicate. With
 * MariaDB's {@code innodb_snapshot_isolation}, on by default from 11.6 on, it is a transient error instead, and the server
 * has rolled the transaction back.
 *
 * <h2>The work</h2>
 *
 * After a deadlock the server has rolled back everything, and statements that follow would begin another transaction
 * without the claim. The store stops the work there, and never commits what it did after. Statements that commit by
 * themselves (CREATE, ALTER, DROP, TRUNCATE, LOCK TABLES, …) are refused. On the driver's own connection, and in
 * procedures, the store cannot look; it sets a savepoint before, by which it finds afterwards that the transaction was ended
 * there, and reports it. What a procedure has committed stays committed. A lock timeout that is swallowed there undoes one
 * statement, which nobody can see afterwards.
 */
@NullMarked
package io.dedupstore.mysql;

import org.jspecify.annotations.NullMarked;
