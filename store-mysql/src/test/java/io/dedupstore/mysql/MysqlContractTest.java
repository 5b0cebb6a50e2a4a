package io.dedupstore.mysql;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract on the newest MySQL. */
class MysqlContractTest extends DedupStoreContract {
    private static MysqlFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new MysqlFixture(Servers.MYSQL, "");
        }
        return fixture;
    }
}
