/** The demo: real processes, really killed, on a real database, with and without the claim. Start at {@link Demo}. */
@NullMarked
package io.dedupstore.examples;

import org.jspecify.annotations.NullMarked;
