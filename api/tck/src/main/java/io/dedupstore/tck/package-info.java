/**
 * The contract kit. A store proves itself by one class that extends {@link io.dedupstore.tck.DedupStoreContract} and gives
 * it a {@link io.dedupstore.tck.BackendFixture} over a real server of its kind. Tests are named after the contract's rules.
 */
@NullMarked
package io.dedupstore.tck;

import org.jspecify.annotations.NullMarked;
