package io.dedupstore.benchmarks;

/**
 * A team's own numbers.
 *
 * @param peak deliveries a second at the worst time of the day
 * @param average deliveries a second over the day
 * @param redelivered the share of them that were applied before, from 0 to 1
 * @param holdMillis how long the work takes in its transaction, beyond the one UPDATE that was measured
 * @param retentionDays how long claims are kept
 * @param instances of the consumer
 */
record Load(double peak, double average, double redelivered, double holdMillis, double retentionDays, int instances) {}
