package io.dedupstore.internal;

import io.dedupstore.spi.DedupDialect;
import java.sql.Connection;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.spi.JdbiPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link ConnectionGuard} under the handles that the engine opens, and only those. A plugin, because that is the one
 * place where Jdbi lets a connection be wrapped and the handle still have all that the user configured.
 */
final class GuardPlugin extends JdbiPlugin.Singleton {
    private static final ThreadLocal<@Nullable Order> ORDER = new ThreadLocal<>();

    /** One handle being opened on this thread. */
    private static final class Order {
        final DedupDialect dialect;
        final HarmlessTexts harmless;

        @Nullable
        ConnectionGuard guard;

        Order(DedupDialect dialect, HarmlessTexts harmless) {
            this.dialect = dialect;
            this.harmless = harmless;
        }
    }

    /** A handle and the guard under it. */
    record Guarded(Handle handle, ConnectionGuard guard) {}

    /** Opens a guarded handle. */
    static Guarded open(Jdbi jdbi, DedupDialect dialect, HarmlessTexts harmless) {
        Order order = new Order(dialect, harmless);
        ORDER.set(order);
        try {
            Handle handle = jdbi.open();
            if (order.guard == null) {
                handle.close();
                throw new IllegalStateException("The store's plugin is no longer installed on its Jdbi.");
            }
            return new Guarded(handle, order.guard);
        } finally {
            ORDER.remove();
        }
    }

    @Override
    public Connection customizeConnection(Connection connection) {
        Order order = ORDER.get();
        if (order == null || order.guard != null) {
            return connection;
        }
        order.guard = new ConnectionGuard(connection, order.dialect, order.harmless);
        return order.guard.proxy();
    }
}
