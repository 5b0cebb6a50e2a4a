package io.dedupstore.examples.cmq;

import io.dedupstore.DedupException;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.examples.TableNames;
import io.dedupstore.examples.UsageException;
import io.dedupstore.examples.credit.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The example's database: a temporary SQLite file, or the user's, in which only tables of the example's are touched. */
final class ExampleDatabase implements AutoCloseable {
    private static final String PREFIX = "dedup_example_";
    private static final String SQLITE = "jdbc:sqlite:";

    private final Jdbi jdbi;
    private final @Nullable Path folder;
    private boolean tablesAreOurs;
    private String product = "";

    private ExampleDatabase(String url, @Nullable Path folder) {
        this.jdbi = Jdbi.create(url);
        this.folder = folder;
    }

    static ExampleDatabase open(@Nullable String given) throws UsageException, IOException {
        ExampleDatabase database = given == null ? temporary() : given(given);
        try {
            database.createTables();
            return database;
        } catch (UsageException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static ExampleDatabase temporary() throws IOException {
        Path folder = Files.createTempDirectory("dedup-example");
        String settings = "?journal_mode=WAL&synchronous=FULL";
        return new ExampleDatabase(SQLITE + folder.resolve("example.db") + settings, folder);
    }

    private static ExampleDatabase given(String url) throws UsageException {
        if (url.startsWith(SQLITE) && (url.contains(":memory:") || url.contains("mode=memory"))) {
            throw new UsageException(
                    "An SQLite database in memory is another one for each connection; give a file to" + " --db.");
        }
        return new ExampleDatabase(url, null);
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
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (SQLException | RuntimeException e) {
            // not its message, which may quote the URL
            throw new UsageException(
                    "The database of --db cannot be used (" + e.getClass().getSimpleName() + ").");
        }
    }

    DedupStore store(DedupListener listener) {
        return DedupStore.builder(jdbi)
                .table(Ledger.CLAIM_TABLE)
                .listener(listener)
                .build();
    }

    Jdbi jdbi() {
        return jdbi;
    }

    String description() {
        return product + (folder == null ? " of --db" : ", a temporary file");
    }

    @Override
    public void close() throws IOException {
        if (folder != null) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        } else if (tablesAreOurs) {
            dropTables();
        }
    }

    private void dropTables() throws IOException {
        try (Handle handle = jdbi.open()) {
            for (String table : TableNames.beginningWith(handle.getConnection(), PREFIX)) {
                handle.execute("DROP TABLE " + table);
            }
        } catch (SQLException e) {
            throw new IOException("the tables " + PREFIX + "* could not be dropped.", e);
        }
    }
}
