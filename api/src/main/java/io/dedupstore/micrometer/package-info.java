/** Metrics of a store for Micrometer; needs {@code io.micrometer:micrometer-core} on the class path. */
@NullMarked
package io.dedupstore.micrometer;

import org.jspecify.annotations.NullMarked;
