package io.dedupstore.examples;

import io.dedupstore.DedupException;
import io.dedupstore.servers.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The database of one demo run. All tables whose names begin with {@value Accounts#PREFIX} are the demo's: there must
 * be none in the beginning, and there are none in the end, unless they are to be kept. Others are not touched.
 */
final class Database implements AutoCloseable {
    private static final String SQLITE = "jdbc:sqlite:";

    private final String url;
    private final Jdbi jdbi;
    private final @Nullable Path directory;
    private final @Nullable EmbeddedServer server;
    private final boolean keep;
    private String product = "";
    private boolean tablesAreOurs;

    private Database(String url, @Nullable Path directory, @Nullable EmbeddedServer server, boolean keep) {
        this.url = url;
        this.jdbi = Jdbi.create(url);
        this.directory = directory;
        this.server = server;
        this.keep = keep;
    }

    static Database open(Options options) throws UsageException, IOException {
        Database database = choose(options);
        try {
            database.createTables();
            return database;
        } catch (DedupException e) {
            database.close();
            throw new UsageException(e.getMessage() + " Nothing was applied.");
        } catch (Exception e) {
            database.close();
            throw e;
        }
    }

    private static Database choose(Options options) throws UsageException, IOException {
        if (options.database() == null) {
            return temporary(options);
        }
        return switch (options.database()) {
            case "mysql", "postgres" -> embedded(options.database(), options.keep());
            default -> given(options.database(), options);
        };
    }

    private static Database embedded(String name, boolean keep) throws UsageException, IOException {
        if (keep) {
            throw new UsageException("The server that --db " + name + " starts ends with the demo, so that there is"
                    + " nothing to --keep. Give the URL of a server of yours.");
        }
        EmbeddedServer server = OwnServer.start(name);
        return new Database(server.url(), null, server, false);
    }

    private static Database temporary(Options options) throws IOException {
        Path directory = Files.createTempDirectory("dedup-demo");
        String url = SQLITE + directory.resolve("demo.db") + "?journal_mode=WAL&synchronous=FULL";
        return new Database(url, directory, null, options.keep());
    }

    private static Database given(String url, Options options) throws UsageException {
        requireDriver(url);
        if (url.startsWith(SQLITE) && isMemory(url)) {
            throw new UsageException("An SQLite database in memory belongs to one process, but the consumer is another;"
                    + " give a file to --db.");
        }
        return new Database(url, null, null, options.keep());
    }

    private static void requireDriver(String url) throws UsageException {
        for (Driver driver : DriverManager.drivers().toList()) {
            try {
                if (driver.acceptsURL(url)) {
                    return;
                }
            } catch (SQLException e) {
                throw new UsageException("The URL of --db is malformed, says its driver.");
            }
        }
        throw new UsageException("No JDBC driver on the class path takes a URL that begins with "
                + scheme(url)
                + ". The examples carry SQLite's, PostgreSQL's, MySQL's and Oracle's; for another database, its driver and its"
                + " dedup-store module must be on the class path (see examples/pom.xml).");
    }

    private static boolean isMemory(String url) {
        String rest = url.substring(SQLITE.length()).toLowerCase(Locale.ROOT);
        return rest.isEmpty() || rest.startsWith("?") || rest.contains(":memory:") || rest.contains("mode=memory");
    }

    private void createTables() throws UsageException {
        // finds out whether the database can be reached and whether a store module knows it
        var store = DemoConsumer.store(jdbi);
        try (Handle handle = jdbi.open()) {
            product = product(handle.getConnection());
            List<String> there = TableNames.beginningWith(handle.getConnection(), Accounts.PREFIX);
            if (!there.isEmpty()) {
                throw new UsageException("The database already has " + String.join(", ", there)
                        + ", perhaps of a run with --keep. Drop them, or give another database to --db."
                        + " Nothing was applied.");
            }
            tablesAreOurs = true;
            Accounts.createTable(handle);
        } catch (SQLException e) {
            throw new UsageException("The database could not be looked at (" + Failures.describe(e) + ").");
        }
        store.schema().create();
    }

    private static String product(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName() + " "
                + connection.getMetaData().getDatabaseProductVersion().replace('\n', ' '); // Oracle's has two lines
    }

    String url() {
        return url;
    }

    Jdbi jdbi() {
        return jdbi;
    }

    String description() {
        return product + ", " + location();
    }

    /** Where it is, without what may be secret: of a server's URL the user, the password and any parameter may be. */
    private String location() {
        return url.startsWith(SQLITE) ? url.substring(SQLITE.length()).split("\\?", 2)[0] : scheme(url) + "...";
    }

    private static String scheme(String url) {
        String[] parts = url.split(":", 3);
        return parts.length == 3 ? parts[0] + ":" + parts[1] + ":" : "(no jdbc: URL)";
    }

    Optional<String> whereKept() {
        return keep ? Optional.of("tables " + Accounts.PREFIX + "* in " + location()) : Optional.empty();
    }

    @Override
    public void close() throws IOException {
        if (keep) {
            return;
        }
        if (server != null) {
            server.close();
        } else if (directory != null) {
            delete(directory);
        } else if (tablesAreOurs) {
            dropTables();
        }
    }

    private void dropTables() throws IOException {
        try (Handle handle = jdbi.open()) {
            for (String table : TableNames.beginningWith(handle.getConnection(), Accounts.PREFIX)) {
                handle.execute("DROP TABLE " + table);
            }
        } catch (SQLException e) {
            throw new IOException("the tables " + Accounts.PREFIX + "* could not be dropped.", e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory);
    }
}
