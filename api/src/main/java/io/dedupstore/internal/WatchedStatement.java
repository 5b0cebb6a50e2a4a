package io.dedupstore.internal;

import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement of the work. */
class WatchedStatement extends Watch {
    private final GuardProxies proxies;

    WatchedStatement(ConnectionGuard guard, GuardProxies proxies, Statement statement) {
        super(guard, statement);
        this.proxies = proxies;
    }

    @Override
    @Nullable
    Object on(Object self, Method method, Object @Nullable [] args) throws Throwable {
        String name = method.getName();
        if (name.equals("getConnection")) {
            return proxies.connection();
        }
        if (name.equals("close")) {
            guard.closed(self);
            return close(method);
        }
        if (name.startsWith("execute") || name.equals("addBatch")) {
            guard.used();
            requireHarmless(args);
        }
        Object result = call(method, args);
        return result instanceof ResultSet rows ? proxies.rows(rows, (Statement) self) : result;
    }

    @Nullable
    Object close(Method method) throws Throwable {
        return call(method, null);
    }
}
