package io.dedupstore.spi;

import java.time.Duration;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * How an owned transaction begins.
 *
 * @param isolation the isolation level (rule A5)
 * @param lockWait the wait bound, for a database on which already the beginning waits for other writers
 */
public record TransactionOptions(TransactionIsolationLevel isolation, Duration lockWait) {}
