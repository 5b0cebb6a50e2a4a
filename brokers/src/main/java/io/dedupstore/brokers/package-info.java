/** Message brokers for the examples and their drills: real ones, as child processes; and one stand-in, named as that. */
@NullMarked
package io.dedupstore.brokers;

import org.jspecify.annotations.NullMarked;
