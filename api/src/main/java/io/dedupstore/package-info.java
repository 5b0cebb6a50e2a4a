/**
 * The contract: what a consumer of an at-least-once broker imports.
 *
 * <p>Start at {@link io.dedupstore.DedupStore}. Types of this package are immutable or safe for any number of threads
 * unless they say otherwise; {@code null} is refused wherever a parameter is not marked nullable.
 */
@NullMarked
package io.dedupstore;

import org.jspecify.annotations.NullMarked;
