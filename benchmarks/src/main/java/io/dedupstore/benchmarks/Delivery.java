package io.dedupstore.benchmarks;

/**
 * One delivery of one event.
 *
 * @param eventId of the event
 * @param payload its content
 * @param redelivered whether the broker says that it is not the first delivery
 * @param account to credit
 */
record Delivery(String eventId, String payload, boolean redelivered, String account) {}
