package io.dedupstore.internal;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Rows and metadata: they fail late, and lead back to the connection. */
final class WatchedRows extends Watch {
    private final Connection connection;
    private final @Nullable Statement statement;

    WatchedRows(ConnectionGuard guard, Connection connection, Object target, @Nullable Statement statement) {
        super(guard, target);
        this.connection = connection;
        this.statement = statement;
    }

    @Override
    @Nullable
    Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
        return switch (method.getName()) {
            case "getConnection" -> connection;
            case "getStatement" -> statement;
            default -> call(method, args);
        };
    }
}
