package io.dedupstore.benchmarks;

/** A way to consume deliveries so that each event is applied once. Used by many threads at once. */
interface Consumer {
    /** While the transaction is open, after the business change. */
    interface Hold {
        Hold NONE = () -> {};

        void inTransaction();
    }

    /** Consumes one delivery; whether it was applied now. */
    boolean consume(Delivery delivery, Hold hold) throws Exception;
}
