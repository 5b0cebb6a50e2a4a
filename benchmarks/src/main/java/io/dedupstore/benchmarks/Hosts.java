package io.dedupstore.benchmarks;

import io.dedupstore.servers.EmbeddedServer;
import io.dedupstore.servers.MysqlBinaries;
import io.dedupstore.servers.MysqlServer;
import io.dedupstore.servers.PgBinaries;
import io.dedupstore.servers.PgServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The databases of one run: those whose URLs were given, and the others started for it, durable as in production. */
final class Hosts implements AutoCloseable {
    private final List<AutoCloseable> started = new ArrayList<>();
    private final Map<Database, String> urls = new EnumMap<>(Database.class);

    static Hosts start(Arguments arguments) throws IOException {
        Hosts hosts = new Hosts();
        for (Database database : arguments.databases()) {
            String given = arguments.urls().get(database);
            hosts.urls.put(database, given == null ? hosts.start(database) : given);
        }
        return hosts;
    }

    Map<Database, String> urls() {
        return urls;
    }

    private String start(Database database) throws IOException {
        return switch (database) {
            case SQLITE -> file();
            case POSTGRES -> server(PgBinaries.bin().map(PgServer::start)).url();
            case MYSQL ->
                recommended(
                        server(MysqlBinaries.mysql80().map(MysqlServer::start)).url());
        };
    }

    private <T extends EmbeddedServer> T server(Optional<T> server) {
        T there = server.orElseThrow(() -> new IllegalStateException(
                "The benchmarks carry servers for Linux on x86-64 only. Give --url, or leave a database out by --db."));
        started.add(there);
        return there;
    }

    /** What the README recommends. */
    private static String recommended(String url) {
        return url + "&useLocalSessionState=true"
                + "&sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5";
    }

    private String file() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), ".benchmark-");
        started.add(() -> delete(folder));
        return "jdbc:sqlite:" + folder.resolve("bench.db") + "?journal_mode=WAL&synchronous=FULL&busy_timeout=10000";
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (AutoCloseable host : started) {
            try {
                host.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new UncheckedIOException(new IOException(e));
            }
        }
    }
}
