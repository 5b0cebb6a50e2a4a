package io.dedupstore.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Calls through, and remembers SQL exceptions. */
abstract class Watch implements InvocationHandler {
    final ConnectionGuard guard;
    private final Object target;

    Watch(ConnectionGuard guard, Object target) {
        this.guard = guard;
        this.target = target;
    }

    @Override
    public final @Nullable Object invoke(Object self, Method method, Object @Nullable [] args) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> args != null && self == args[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "guarded " + target;
            case "unwrap" -> unwrap(self, method, args);
            default -> on(self, method, args);
        };
    }

    private @Nullable Object unwrap(Object self, Method method, Object @Nullable [] args) throws Throwable {
        if (args != null && args[0] instanceof Class<?> type && type.isInstance(self)) {
            return self;
        }
        handedOut();
        return call(method, args);
    }

    void handedOut() throws SQLException {
        guard.unwatched();
    }

    abstract @Nullable Object on(Object self, Method method, Object @Nullable [] args) throws Throwable;

    void failed(SQLException failure) {
        guard.failed(failure);
    }

    @Nullable
    Object call(Method method, Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException failure) {
                failed(failure);
            }
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    final void requireHarmless(Object @Nullable [] args) throws SQLException {
        guard.requireGoingOn();
        if (args != null && args.length > 0 && args[0] instanceof String sql) {
            guard.requireHarmless(sql);
        }
    }
}
