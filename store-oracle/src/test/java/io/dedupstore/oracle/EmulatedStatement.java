package io.dedupstore.oracle;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One emulated statement. */
final class EmulatedStatement implements InvocationHandler {
    /** The statements with quoted names that the module may send, noted by the tests that make dialects. */
    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private final EmulatedSession session;
    private final Statement h2;
    private final String prepared;
    private int timeout;
    private byte[] firstBytes;

    EmulatedStatement(EmulatedSession session, Statement h2, String prepared) {
        this.session = session;
        this.h2 = h2;
        this.prepared = prepared;
    }

    <T> T as(Class<T> type) {
        return EmulatedSession.proxy(type, this);
    }

    static void know(OracleSql sql) {
        KNOWN.addAll(sql.all());
    }

    static void requireKnown(String sql) {
        boolean create =
                sql.stripLeading().startsWith("CREATE") || sql.stripLeading().startsWith("--");
        if (sql.contains("\"") && !create && !KNOWN.contains(sql)) {
            throw new AssertionError("The module sent a statement that the emulator does not know: " + sql);
        }
    }

    @Override
    public Object invoke(Object self, Method method, Object[] args) throws Throwable {
        String name = method.getName();
        return switch (name) {
            case "equals" -> self == args[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "emulated Oracle statement";
            case "getConnection" -> session.connection();
            // H2's would hold for the whole session
            case "setQueryTimeout" -> {
                session.requireStatementsOpen();
                timeout = (int) args[0];
                yield null;
            }
            case "getQueryTimeout" -> timeout;
            case "addBatch" -> session.call(h2, method, translated(args));
            case "setBytes" -> {
                firstBytes = args[0].equals(1) ? (byte[]) args[1] : firstBytes;
                yield session.call(h2, method, args);
            }
            default -> name.startsWith("execute") ? execute(method, args) : session.call(h2, method, args);
        };
    }

    private Object execute(Method method, Object[] args) throws Throwable {
        String sql = args == null ? prepared : (String) args[0];
        Object[] translated = translated(args);
        Run run = () -> session.call(h2, method, translated);
        boolean claims = prepared != null && prepared.startsWith("INSERT INTO \"") && firstBytes != null;
        return execute(
                String.valueOf(sql), claims ? () -> session.insert(key(prepared, firstBytes), timeout, run) : run);
    }

    /** What a claim is locked by. */
    static Object key(String insert, byte[] digest) {
        return insert.substring(0, insert.indexOf('(')) + HexFormat.of().formatHex(digest);
    }

    private static Object[] translated(Object[] args) {
        if (args == null) {
            return null;
        }
        String sql = (String) args[0];
        requireKnown(sql);
        Object[] translated = args.clone();
        translated[0] = EmulatedSql.translated(sql);
        return translated;
    }

    /** What a statement does when it is carried out. */
    interface Run {
        Object run() throws Throwable;
    }

    Object execute(String sql, Run run) throws Throwable {
        if (sql.equals("SET TRANSACTION READ ONLY")) {
            session.before(sql);
            return false;
        }
        EmulatedFaults.Fault fault = session.oracle().faults().take(sql);
        if (fault != null && !fault.carriedOut()) {
            session.strike(fault);
        }
        session.before(sql);
        try {
            Object result = run.run();
            session.strike(fault);
            return result;
        } catch (SQLException e) {
            throw session.failure(e);
        }
    }
}
