/** JMH benchmarks of the stores, beside hand-written JDBC and other libraries. */
@NullMarked
package io.dedupstore.benchmarks;

import org.jspecify.annotations.NullMarked;
