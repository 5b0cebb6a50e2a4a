package io.dedupstore.postgres;

import io.dedupstore.servers.EmbeddedServer;
import io.dedupstore.servers.PgServer;
import io.dedupstore.servers.rules.KilledServerRules;

/** A killed PostgreSQL. */
class KilledServerTest extends KilledServerRules {
    @Override
    protected EmbeddedServer start() {
        return PgServer.start(Servers.binaries());
    }
}
