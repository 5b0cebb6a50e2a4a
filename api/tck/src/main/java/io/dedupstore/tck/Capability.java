package io.dedupstore.tck;

/**
 * Where databases differ within the contract. Supported unless {@link BackendFixture#lacks()} says otherwise; for one that
 * is lacking the kit asserts what must happen instead, and skips nothing.
 */
public enum Capability {
    /** Transactions with different keys run beside each other (W3). Lacking: the second waits, to the bound. */
    CONCURRENT_WRITERS,

    /** READ COMMITTED exists (A5). Lacking: owned transactions are serializable. */
    READ_COMMITTED,

    /** A failed statement undoes itself only (A3). Lacking: the transaction is refused as a whole. */
    STATEMENT_ROLLBACK,

    /** Constraints can be checked at the commit (E3). Lacking: the kit sees the database refuse such a declaration. */
    DEFERRED_CONSTRAINTS,

    /** A CHECK constraint is enforced (E2). Lacking: the row is stored. */
    CHECK_CONSTRAINTS
}
