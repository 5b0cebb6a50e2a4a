package io.dedupstore.mysql;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract on MySQL 8.0.12. */
class Mysql80ContractTest extends DedupStoreContract {
    private static MysqlFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new MysqlFixture(Servers.MYSQL80, "");
        }
        return fixture;
    }
}
