/** A consumer of RabbitMQ that applies each event once, to be copied; and a runnable example of it. */
@NullMarked
package io.dedupstore.examples.rabbitmq;

import org.jspecify.annotations.NullMarked;
