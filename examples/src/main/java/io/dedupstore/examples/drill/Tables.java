package io.dedupstore.examples.drill;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the tables hold in the end.
 *
 * @param balances by account
 * @param effects the journal, one for each time that a transfer was applied
 * @param claims the events that have a claim
 */
record Tables(Map<Integer, Long> balances, List<Effect> effects, Set<String> claims) {
    /** A transfer that was applied. */
    record Effect(Transfer transfer) {}
}
