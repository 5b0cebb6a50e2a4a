/**
 * The drill: many consumer processes on one database, broken at random, and a checker that judges by what was delivered,
 * what was acknowledged and what the tables hold in the end. Start at {@link Drill}.
 */
@NullMarked
package io.dedupstore.examples.drill;

import org.jspecify.annotations.NullMarked;
