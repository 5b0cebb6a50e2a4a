/**
 * What a store module implements: one {@link io.dedupstore.spi.DedupDialect} per database, found through
 * {@link io.dedupstore.spi.DedupDialectProvider}. Users of a store do not need this package.
 */
@NullMarked
package io.dedupstore.spi;

import org.jspecify.annotations.NullMarked;
