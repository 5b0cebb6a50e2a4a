/**
 * Credits from RocketMQ, each applied once: a consumer to copy, one that takes messages in batches, and an example that
 * makes them fail.
 */
@NullMarked
package io.dedupstore.examples.rocketmq;

import org.jspecify.annotations.NullMarked;
