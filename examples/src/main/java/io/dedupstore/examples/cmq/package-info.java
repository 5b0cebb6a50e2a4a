/** Credits through CMQ (TDMQ for CMQ): a consumer to copy, and an example that runs it. */
@NullMarked
package io.dedupstore.examples.cmq;

import org.jspecify.annotations.NullMarked;
