package io.dedupstore.oracle;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionState;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The claim: a plain INSERT, which waits for an undecided holder of the key, and, if the key is taken, a read.
 *
 * <p>A duplicate undoes the one statement and leaves the transaction usable (fact O1). At READ COMMITTED the read has a
 * snapshot of its own and sees the claim that the INSERT met, unless it was purged in between. A transaction that keeps its
 * first snapshot may meet a claim that it cannot see; that one has to run again (W4).
 *
 * <p>Not by MERGE, which looks and then inserts, and loses the race with the same error (fact O12); nor by the hint
 * {@code IGNORE_ROW_ON_DUPKEY_INDEX}, which Oracle ignores without a word if it is misspelt (fact O11).
 */
final class Claims {
    private static final String STATE_LOCK = "61000";
    private static final String STATE_ROLLBACK = "72000";

    private final OracleSql sql;
    private final ViolatedKey key;
    private final Insertion insertion;

    /** How the row is inserted, and how the wait for a holder is bounded. */
    interface Insertion {
        /** Whether the row was inserted; throws at the bound, and if the key is taken. */
        boolean insert(Connection connection, NewClaim claim, byte[] digest, Duration lockWait) throws SQLException;
    }

    Claims(OracleSql sql, ViolatedKey key, Insertion insertion) {
        this.sql = sql;
        this.key = key;
        this.insertion = insertion;
    }

    ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException {
        byte[] digest = KeyDigest.of(claim.key());
        long asked = System.nanoTime();
        try {
            if (insertion.insert(connection, claim, digest, lockWait)) {
                return ClaimAnswer.CLAIMED;
            }
        } catch (SQLException e) {
            if (!key.isIn(e)) {
                throw atBound(e, System.nanoTime() - asked, lockWait);
            }
        }
        Optional<Claim> stored = select(connection, claim.key(), digest);
        if (stored.isEmpty() && connection.getTransactionIsolation() == Connection.TRANSACTION_SERIALIZABLE) {
            throw new SQLException(
                    "The claim is younger than the transaction", STATE_ROLLBACK, OracleErrors.CANNOT_SERIALIZE);
        }
        return stored.<ClaimAnswer>map(ClaimAnswer.Taken::new).orElse(ClaimAnswer.VANISHED);
    }

    /** A cancelled statement is at the bound if the time is up; else somebody else has cancelled it (W2). */
    private static SQLException atBound(SQLException failure, long waitedNanos, Duration lockWait) {
        boolean cancelled = OracleErrors.first(failure, e -> e.getErrorCode() == OracleErrors.CANCELLED) != null;
        return cancelled && waitedNanos >= lockWait.toNanos() ? waitExpired(failure) : failure;
    }

    static SQLException waitExpired(@Nullable SQLException cause) {
        return new SQLException("The claim waited up to its bound", STATE_LOCK, OracleErrors.WAIT_EXPIRED, cause);
    }

    static SQLException deadlock() {
        return new SQLException("The claim's lock was part of a deadlock", STATE_LOCK, OracleErrors.DEADLOCK);
    }

    /** Whole seconds, which is what the driver and the server count. */
    static int seconds(Duration lockWait) {
        return (int) lockWait.plusNanos(999_999_999).toSeconds();
    }

    /** What is sent to the server. */
    interface Sending<T> {
        T send() throws SQLException;
    }

    /**
     * Sends a statement under the driver's query timeout, which it has no more afterwards: it may come from a cache, and go
     * back to it (A7). A failure that has closed the statement is not hidden by that.
     */
    static <T> T within(int seconds, Statement statement, Sending<T> sending) throws SQLException {
        statement.setQueryTimeout(seconds);
        T answer;
        try {
            answer = sending.send();
        } catch (SQLException | RuntimeException e) {
            try {
                statement.setQueryTimeout(0);
            } catch (SQLException closed) {
                e.addSuppressed(closed);
            }
            throw e;
        }
        statement.setQueryTimeout(0);
        return answer;
    }

    Optional<Claim> find(Connection connection, EventKey key) throws SQLException {
        return select(connection, key, KeyDigest.of(key));
    }

    private Optional<Claim> select(Connection connection, EventKey key, byte[] digest) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.select())) {
            statement.setBytes(1, digest);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(claim(key, row)) : Optional.empty();
            }
        }
    }

    private static Claim claim(EventKey key, ResultSet row) throws SQLException {
        ByteBuffer id = ByteBuffer.wrap(row.getBytes(3));
        // a local time: as a Timestamp it would pass through the JVM's time zone, which lacks an hour each spring
        LocalDateTime at = row.getObject(4, LocalDateTime.class);
        return new Claim(
                key,
                PayloadHash.of(row.getString(1), row.getBytes(2)),
                new UUID(id.getLong(), id.getLong()),
                at.toInstant(ZoneOffset.UTC));
    }

    static void bind(PreparedStatement statement, int from, NewClaim claim, byte[] digest) throws SQLException {
        statement.setBytes(from, digest);
        statement.setString(from + 1, claim.key().tenant());
        statement.setString(from + 2, claim.key().consumer());
        statement.setString(from + 3, claim.key().eventId());
        statement.setString(from + 4, claim.hash().scheme());
        statement.setBytes(from + 5, claim.hash().digest());
        statement.setBytes(from + 6, bytes(claim.claimId()));
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    /**
     * Whether the claim is there and a transaction open (A3). A failed statement undoes itself only, so there is something
     * to ask only after a failure, and after the work had the driver's own connection.
     */
    TransactionState inspect(Connection connection, NewClaim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.guard())) {
            statement.setBytes(1, KeyDigest.of(claim.key()));
            statement.setBytes(2, bytes(claim.claimId()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getString(1) != null ? TransactionState.WHOLE : TransactionState.ENDED;
            }
        }
    }
}
