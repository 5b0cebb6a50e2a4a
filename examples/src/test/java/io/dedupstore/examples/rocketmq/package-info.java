/** The consumer of RocketMQ under drill, on real brokers and databases. */
@NullMarked
package io.dedupstore.examples.rocketmq;

import org.jspecify.annotations.NullMarked;
