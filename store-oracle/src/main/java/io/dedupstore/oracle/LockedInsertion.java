package io.dedupstore.oracle;

import io.dedupstore.spi.NewClaim;
import java.nio.ByteBuffer;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;

/**
 * An INSERT behind a lock of {@code DBMS_LOCK} for the key, in one round trip: the server bounds the wait for that lock, to
 * the second, and releases it when the transaction ends. The lock's id is 30 bits of the key's digest; two keys that share
 * them wait for each other, and nothing worse. The key's constraint still decides who has claimed.
 */
final class LockedInsertion implements Claims.Insertion {
    private static final int GRANTED = 0;
    private static final int TIMED_OUT = 1;
    private static final int DEADLOCK = 2;
    private static final int ALREADY_OWNED = 4;

    /** {@code DBMS_LOCK} takes ids from 0 to 1073741823. */
    private static final int ID_BITS = 0x3fff_ffff;

    /** The server's bound comes first. The driver's is for a holder that claims without this lock. */
    private static final int SLACK_SECONDS = 2;

    private final String block;

    LockedInsertion(OracleSql sql) {
        this.block = sql.lockAndInsert();
    }

    @Override
    public boolean insert(Connection connection, NewClaim claim, byte[] digest, Duration lockWait) throws SQLException {
        int answer;
        try (CallableStatement call = connection.prepareCall(block)) {
            int seconds = Claims.seconds(lockWait);
            call.setInt(1, ByteBuffer.wrap(digest).getInt() & ID_BITS);
            call.setInt(2, seconds);
            Claims.bind(call, 3, claim, digest);
            call.registerOutParameter(10, Types.INTEGER);
            Claims.within(seconds + SLACK_SECONDS, call, call::execute);
            answer = call.getInt(10);
        }
        return switch (answer) {
            case GRANTED, ALREADY_OWNED -> true;
            case TIMED_OUT -> throw Claims.waitExpired(null);
            case DEADLOCK -> throw Claims.deadlock();
            default -> throw new SQLException("DBMS_LOCK.REQUEST answered " + answer);
        };
    }
}
