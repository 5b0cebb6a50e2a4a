package io.dedupstore.examples;

import io.dedupstore.servers.EmbeddedServer;
import io.dedupstore.servers.MysqlBinaries;
import io.dedupstore.servers.MysqlServer;
import io.dedupstore.servers.PgBinaries;
import io.dedupstore.servers.PgServer;
import java.io.IOException;
import java.util.Optional;

/** The database servers that the examples carry with them. */
public final class OwnServer {
    private OwnServer() {}

    /**
     * Starts one.
     *
     * @param name {@code mysql} or {@code postgres}
     * @return the server, which answers
     * @throws UsageException if this machine cannot run it
     * @throws IOException if its programs cannot be unpacked
     */
    public static EmbeddedServer start(String name) throws UsageException, IOException {
        Optional<EmbeddedServer> started = name.equals("mysql")
                ? MysqlBinaries.mysql80().<EmbeddedServer>map(MysqlServer::start)
                : PgBinaries.bin().<EmbeddedServer>map(PgServer::start);
        return started.orElseThrow(() -> new UsageException("The examples carry servers for Linux on x86-64 only. Give"
                + " the URL of a server of yours: --db jdbc:..."));
    }
}
