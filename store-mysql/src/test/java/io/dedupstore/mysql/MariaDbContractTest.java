package io.dedupstore.mysql;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract on MariaDB, by its own driver. */
class MariaDbContractTest extends DedupStoreContract {
    private static MysqlFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new MysqlFixture(Servers.MARIADB, "");
        }
        return fixture;
    }
}
