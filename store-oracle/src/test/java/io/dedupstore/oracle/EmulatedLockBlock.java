package io.dedupstore.oracle;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The one PL/SQL block that is emulated, carried out in Java: {@link OracleSql#lockAndInsert()}. */
final class EmulatedLockBlock implements InvocationHandler {
    /** The parameters of the lock, in front of those of the insert. */
    private static final int OF_LOCK = 2;

    private static final int OUT = 10;

    private final EmulatedSession session;
    private final String sql;
    private final String text;
    private final PreparedStatement insert;
    private final int[] lock = new int[OF_LOCK + 1];
    private final EmulatedStatement statement;
    private byte[] digest;
    private int timeout;
    private int answer;

    private EmulatedLockBlock(EmulatedSession session, String sql, String text, PreparedStatement insert) {
        this.session = session;
        this.sql = sql;
        this.text = text;
        this.insert = insert;
        this.statement = new EmulatedStatement(session, insert, sql);
    }

    static CallableStatement prepare(EmulatedSession session, String sql) throws SQLException {
        int start = sql.indexOf("INSERT INTO");
        if (!sql.contains("DBMS_LOCK.REQUEST") || start < 0) {
            throw EmulatedFailure.of(6550);
        }
        String text = sql.substring(start, sql.indexOf(';', start));
        try {
            PreparedStatement insert = session.h2().prepareStatement(text);
            return EmulatedSession.proxy(CallableStatement.class, new EmulatedLockBlock(session, sql, text, insert));
        } catch (SQLException e) {
            // a missing table makes the block's compilation fail
            throw EmulatedFailure.of(6550);
        }
    }

    @Override
    public Object invoke(Object self, Method method, Object[] args) throws Throwable {
        switch (method.getName()) {
            case "registerOutParameter" -> {
                return null;
            }
            case "execute" -> {
                return statement.execute(sql, this::run);
            }
            case "getInt" -> {
                return args[0].equals(OUT) ? answer : -1;
            }
            case "setQueryTimeout" -> {
                session.requireStatementsOpen();
                timeout = (int) args[0];
                return null;
            }
            default -> {
                return parameter(method, args);
            }
        }
    }

    private Object parameter(Method method, Object[] args) throws Throwable {
        if (!method.getName().startsWith("set")) {
            return session.call(insert, method, args);
        }
        int index = (int) args[0];
        if (index <= OF_LOCK) {
            lock[index] = (int) args[1];
            return null;
        }
        if (index == OF_LOCK + 1) {
            digest = (byte[]) args[1];
        }
        Object[] shifted = args.clone();
        shifted[0] = index - OF_LOCK;
        return session.call(insert, method, shifted);
    }

    private Object run() throws Throwable {
        answer = session.oracle().locks().request(session, lock[1], lock[2]);
        if (answer == EmulatedLocks.GRANTED || answer == EmulatedLocks.ALREADY_OWNED) {
            session.insert(EmulatedStatement.key(text, digest), timeout, insert::executeUpdate);
        }
        return false;
    }
}
