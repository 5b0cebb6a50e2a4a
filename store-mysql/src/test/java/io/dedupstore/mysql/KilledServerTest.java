package io.dedupstore.mysql;

import io.dedupstore.servers.EmbeddedServer;
import io.dedupstore.servers.MysqlServer;
import io.dedupstore.servers.rules.KilledServerRules;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A killed server, of each kind. */
@ParameterizedClass
@EnumSource(
        value = Servers.class,
        names = {"MYSQL80", "MYSQL", "MARIADB"})
class KilledServerTest extends KilledServerRules {
    private final Servers server;

    KilledServerTest(Servers server) {
        this.server = server;
    }

    @Override
    protected EmbeddedServer start() {
        return MysqlServer.start(server.binaries());
    }
}
