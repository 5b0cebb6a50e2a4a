package io.dedupstore.spi;

/** Whether an open transaction still is what it was when the claim was made (rule A3). */
public enum TransactionState {
    /** The claim and everything after it, but for statements that failed alone, will be committed. */
    WHOLE,
    /** A failure has spoilt the transaction; only a rollback, to a savepoint or of all, can follow. */
    ABORTED,
    /** The transaction is gone, by the server or by the work; statements that follow would stand on their own. */
    ENDED
}
