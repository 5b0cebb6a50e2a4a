package io.dedupstore.examples.credit;

import io.dedupstore.DedupException;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.examples.OwnServer;
import io.dedupstore.examples.TableNames;
import io.dedupstore.examples.UsageException;
import io.dedupstore.servers.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** An example's database: one of its own, or the user's, in which only tables of the examples' names are touched. */
public final class ExampleDatabase implements AutoCloseable {
    private static final String PREFIX = "dedup_example_";
    private static final String SQLITE = "jdbc:sqlite:";

    private final Jdbi jdbi;
    private final @Nullable EmbeddedServer server;
    private final @Nullable Path folder;
    private boolean tablesAreOurs;
    private String product = "";

    private ExampleDatabase(String url, @Nullable EmbeddedServer server, @Nullable Path folder) {
        this.jdbi = Jdbi.create(url);
        this.server = server;
        this.folder = folder;
    }

    /**
     * Opens it and creates the tables.
     *
     * @param given the user's JDBC URL, or null for a database of the example's own
     * @param own which one: {@code sqlite}, {@code mysql} or {@code postgres}
     * @param parameters to add to the own one's URL
     * @return the database
     * @throws UsageException if it cannot be used, or if such tables are there already
     * @throws IOException if the own one cannot be made
     */
    public static ExampleDatabase open(@Nullable String given, String own, String parameters)
            throws UsageException, IOException {
        ExampleDatabase database = given == null ? own(own, parameters) : given(given);
        try {
            database.createTables();
            return database;
        } catch (UsageException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static ExampleDatabase own(String own, String parameters) throws UsageException, IOException {
        if (own.equals("sqlite")) {
            Path folder = Files.createTempDirectory("dedup-example");
            return new ExampleDatabase(SQLITE + folder.resolve("example.db") + parameters, null, folder);
        }
        EmbeddedServer server = OwnServer.start(own);
        return new ExampleDatabase(server.url() + parameters, server, null);
    }

    private static ExampleDatabase given(String url) throws UsageException {
        if (url.startsWith(SQLITE) && (url.contains(":memory:") || url.contains("mode=memory"))) {
            throw new UsageException(
                    "An SQLite database in memory is another one for each connection; give a file to --db.");
        }
        return new ExampleDatabase(url, null, null);
    }

    private void createTables() throws UsageException {
        try (Handle handle = jdbi.open()) {
            Connection connection = handle.getConnection();
            product = connection.getMetaData().getDatabaseProductName();
            List<String> there = TableNames.beginningWith(connection, PREFIX);
            if (!there.isEmpty()) {
                throw new UsageException("The database of --db already has " + String.join(", ", there)
                        + ". Drop them, or give another database.");
            }
            tablesAreOurs = true;
            store(DedupListener.NONE).schema().create();
            Ledger.create(jdbi);
        } catch (DedupException e) {
            throw new UsageException("The database of --db cannot be used. " + e.getMessage());
        } catch (SQLException | RuntimeException e) {
            // not its message, which may quote the URL
            throw new UsageException(
                    "The database of --db cannot be used (" + e.getClass().getSimpleName() + ").");
        }
    }

    /**
     * A store on it.
     *
     * @param listener the store's
     * @return the store
     */
    public DedupStore store(DedupListener listener) {
        return DedupStore.builder(jdbi)
                .table(Ledger.CLAIM_TABLE)
                .listener(listener)
                .build();
    }

    /** {@return its connections} */
    public Jdbi jdbi() {
        return jdbi;
    }

    /** {@return what it is, without its URL, which may hold a password} */
    public String description() {
        if (folder != null) {
            return product + ", a temporary file";
        }
        return product + (server == null ? " of --db" : ", its own");
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        } else if (folder != null) {
            delete(folder);
        } else if (tablesAreOurs) {
            dropTables();
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void dropTables() {
        try (Handle handle = jdbi.open()) {
            for (String table : TableNames.beginningWith(handle.getConnection(), PREFIX)) {
                handle.execute("DROP TABLE " + table);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The tables " + PREFIX + "* could not be dropped.", e);
        }
    }
}
