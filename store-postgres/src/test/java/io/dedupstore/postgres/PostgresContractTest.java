package io.dedupstore.postgres;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract on the newest PostgreSQL. */
class PostgresContractTest extends DedupStoreContract {
    private static PostgresFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new PostgresFixture(Servers.POSTGRES.url());
        }
        return fixture;
    }
}
