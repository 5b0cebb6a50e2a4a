package io.dedupstore.postgres;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract on PostgreSQL 15. */
class Postgres15ContractTest extends DedupStoreContract {
    private static PostgresFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new PostgresFixture(Servers.POSTGRES15.url());
        }
        return fixture;
    }
}
