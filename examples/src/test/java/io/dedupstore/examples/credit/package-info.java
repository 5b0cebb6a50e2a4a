/** What the drills of the three consumers have in common. */
@NullMarked
package io.dedupstore.examples.credit;

import org.jspecify.annotations.NullMarked;
