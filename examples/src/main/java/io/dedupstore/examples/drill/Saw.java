package io.dedupstore.examples.drill;

/** What a consumer saw come of a delivery: more than the source is told, for the checker. */
enum Saw {
    APPLIED,
    DUPLICATE,
    CONFLICT,
    /** The commit's answer was lost and not found out: it may have happened. */
    IN_DOUBT,
    /** Anything else that failed, after which nothing is committed. */
    FAILED
}
