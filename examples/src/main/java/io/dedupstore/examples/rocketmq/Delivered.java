package io.dedupstore.examples.rocketmq;

import io.dedupstore.examples.credit.Ledger;

/**
 * One delivery, as the consumer saw it.
 *
 * @param sent the event
 * @param messageId the message's own id, which the client's redeliveries keep
 * @param reconsumed how often it had been sent back
 * @param action what the consumer did
 * @param state of the account afterwards
 * @param returned to the client
 */
record Delivered(Sent sent, String messageId, int reconsumed, String action, Ledger.State state, String returned) {}
