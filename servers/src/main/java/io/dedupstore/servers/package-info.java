/** Real database servers as child processes, for tests, the demo and measurements; not published. */
@NullMarked
package io.dedupstore.servers;

import org.jspecify.annotations.NullMarked;
