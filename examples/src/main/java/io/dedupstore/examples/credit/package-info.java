/** What the three consumers have in common: the message that credits an account, and the accounts. */
@NullMarked
package io.dedupstore.examples.credit;

import org.jspecify.annotations.NullMarked;
