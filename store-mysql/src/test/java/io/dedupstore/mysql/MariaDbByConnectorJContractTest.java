package io.dedupstore.mysql;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;

/** The contract on MariaDB, by MySQL's driver. */
class MariaDbByConnectorJContractTest extends DedupStoreContract {
    private static MysqlFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new MysqlFixture(Servers.MARIADB_BY_CONNECTOR_J, "");
        }
        return fixture;
    }
}
