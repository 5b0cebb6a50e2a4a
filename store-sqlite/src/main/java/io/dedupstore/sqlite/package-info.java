/**
 * The SQLite store, on the xerial driver. It is found by itself; nothing here has to be called.
 *
 * <p>A file has one writer at a time, whatever the number of connections. Owned claims of this JVM queue for it in the
 * order in which they came, instead of polling by chance as {@code busy_timeout} does; other processes are waited for by
 * {@code busy_timeout}. Both together keep the wait bound.
 *
 * <p>Recommended: {@code journal_mode=WAL}, {@code synchronous=FULL} (with NORMAL a power failure can undo the last
 * commits, and an acknowledged event with them), and a pool.
 */
@NullMarked
package io.dedupstore.sqlite;

import org.jspecify.annotations.NullMarked;
