package io.dedupstore.internal;

import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.RetryPolicy;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.TableName;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** Builds stores: finds the dialect and puts the engine on it. */
public final class Stores {
    private Stores() {}

    /**
     * What a builder has collected.
     *
     * @param jdbi where handles come from
     * @param lockWait the wait bound
     * @param retry the retry policy
     * @param listener who is told
     * @param permanent which failures of the work are permanent
     * @param isolation the isolation level of owned transactions
     */
    public record Settings(
            Jdbi jdbi,
            Duration lockWait,
            RetryPolicy retry,
            DedupListener listener,
            Predicate<Throwable> permanent,
            TransactionIsolationLevel isolation) {}

    /**
     * Builds a store.
     *
     * @param settings the builder's settings
     * @param table the table, or null for the default or the dialect's own
     * @param chosen the dialect, or null to find it
     * @return the store
     */
    public static DedupStore build(Settings settings, @Nullable TableName table, @Nullable DedupDialect chosen) {
        if (chosen != null && table != null && !chosen.table().equals(table)) {
            throw new StoreConfigurationException("The builder was given the table " + table + " and a dialect for "
                    + chosen.table() + "; set the table where the dialect is made.");
        }
        settings.jdbi().installPlugin(new GuardPlugin());
        DedupDialect dialect = chosen != null
                ? chosen
                : find(settings.jdbi(), table == null ? TableName.of(TableName.DEFAULT) : table);
        return new Engine(settings, dialect);
    }

    private static DedupDialect find(Jdbi jdbi, TableName table) {
        try (Handle handle = jdbi.open()) {
            DatabaseMetaData database = handle.getConnection().getMetaData();
            List<String> modules = new ArrayList<>();
            for (DedupDialectProvider provider : providers()) {
                if (provider.supports(database)) {
                    return provider.dialect(handle.getConnection(), table);
                }
                modules.add(provider.module());
            }
            throw new StoreConfigurationException("No store module on the class path knows "
                    + database.getDatabaseProductName() + ". Found: " + (modules.isEmpty() ? "none" : modules)
                    + ". There are dedup-store-sqlite, dedup-store-postgres, dedup-store-mysql and dedup-store-oracle;"
                    + " add the one for your database, or give the builder a dialect.");
        } catch (SQLException | JdbiException e) {
            throw new TransientStoreException(
                    Reason.CONNECTION,
                    "The database could not be asked what it is (" + Redacted.describe(e)
                            + "); check the URL, that it runs, and that the pool is open.",
                    Redacted.copy(e));
        }
    }

    /** By the thread's class loader, as applications expect; by our own where that one sees no store module. */
    private static Iterable<DedupDialectProvider> providers() {
        ServiceLoader<DedupDialectProvider> visible = ServiceLoader.load(DedupDialectProvider.class);
        return visible.iterator().hasNext()
                ? visible
                : ServiceLoader.load(DedupDialectProvider.class, Stores.class.getClassLoader());
    }
}
