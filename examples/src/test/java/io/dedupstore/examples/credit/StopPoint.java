package io.dedupstore.examples.credit;

/** Where a consumer process stands still with its first delivery, to be killed there or to go on. */
public enum StopPoint {
    NOWHERE,
    /** The credit is made and not committed. */
    BEFORE_COMMIT,
    /** Claim and credit are committed, the delivery is not acknowledged. */
    AFTER_COMMIT
}
