/** The one engine that keeps the contract on every database. Not exported. */
@NullMarked
package io.dedupstore.internal;

import org.jspecify.annotations.NullMarked;
