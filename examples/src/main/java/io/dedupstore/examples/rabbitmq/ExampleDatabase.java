package io.dedupstore.examples.rabbitmq;

import io.dedupstore.DedupException;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.examples.OwnServer;
import io.dedupstore.examples.TableNames;
import io.dedupstore.examples.UsageException;
import io.dedupstore.examples.credit.Ledger;
import io.dedupstore.servers.EmbeddedServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The example's database: one of its own, or the user's, in which only tables of the example's names are touched. */
final class ExampleDatabase implements AutoCloseable {
    private static final String PREFIX = "dedup_example_";

    private final Jdbi jdbi;
    private final @Nullable EmbeddedServer server;
    private boolean tablesAreOurs;
    private String product = "";

    private ExampleDatabase(String url, @Nullable EmbeddedServer server) {
        this.jdbi = Jdbi.create(url);
        this.server = server;
    }

    static ExampleDatabase open(@Nullable String given) throws UsageException, IOException {
        EmbeddedServer server = given == null ? OwnServer.start("postgres") : null;
        ExampleDatabase database = new ExampleDatabase(server == null ? String.valueOf(given) : server.url(), server);
        try {
            database.createTables();
            return database;
        } catch (UsageException | RuntimeException e) {
            database.close();
            throw e;
        }
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
        return product + (server == null ? " of --db" : ", its own");
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
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
