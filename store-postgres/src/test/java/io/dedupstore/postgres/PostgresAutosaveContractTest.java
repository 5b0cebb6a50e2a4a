package io.dedupstore.postgres;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract with a savepoint around every statement, in simple query mode, by a pool whose sessions are serializable. */
class PostgresAutosaveContractTest extends DedupStoreContract {
    private static PostgresFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new PostgresFixture(Servers.POSTGRES.url() + "&autosave=always&preferQueryMode=simple"
                    + "&options=-c%20default_transaction_isolation=serializable");
        }
        return fixture;
    }
}
