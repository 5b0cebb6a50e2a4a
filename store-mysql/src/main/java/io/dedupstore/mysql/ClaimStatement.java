package io.dedupstore.mysql;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.NewClaim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The claim's statements.
 *
 * <ol>
 *   <li>The insert has the settings that it needs as its condition: in a session with another wait bound or isolation level
 *       its time is NULL, which the table refuses before any lock is asked for. So sessions that have the settings need not
 *       be asked or told anything. As the condition of INSERT … SELECT it costs up to five times as much, measured.
 *   <li>A duplicate is told by the server's number, and believed only when its row is read: number 1062 may stand for
 *       another key, and the key's name is in a text that has a language (E1). The read locks, so that a snapshot from before
 *       the winner's commit cannot hide the row (W4). The failed insert holds the same lock already, so it does not wait.
 * </ol>
 *
 * Not by INSERT IGNORE, which cuts what is too long and hides what other constraints refuse; not by the counts of ON
 * DUPLICATE KEY UPDATE, which depend on the driver's settings (fact M2). MariaDB's RETURNING would tell more in one round
 * trip, but ON DUPLICATE KEY UPDATE locks the row of a duplicate exclusively: a delivery would wait for the end of every
 * joined transaction that has met the same duplicate, up to the bound, and not be answered.
 */
final class ClaimStatement {
    /** Values cut, out of range, replaced or missing: what a server that is not strict only warns of (M8). */
    private static final Set<Integer> CHANGED = Set.of(1048, 1264, 1265, 1292, 1364, 1366, 1406);

    private static final String KEY = "tenant, consumer, event_id";
    private static final String STORED = "hash_scheme, payload_hash, claim_id,"
            // a number: neither the session's nor the driver's time zone has a say
            + " TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', claimed_at)";
    private static final String IS_KEY = " WHERE tenant = ? AND consumer = ? AND event_id = ?";

    private final String insert;
    private final String find;
    private final String stored;
    private final String own;

    ClaimStatement(SqlName table) {
        this.insert = "INSERT INTO " + table + " (" + KEY + ", hash_scheme, payload_hash, claim_id, claimed_at)"
                + " VALUES (?, ?, ?, ?, ?, ?, IF(";
        this.find = "SELECT " + STORED + " FROM " + table + IS_KEY;
        this.stored = find + " LOCK IN SHARE MODE"; // FOR SHARE is unknown to MariaDB
        this.own = "SELECT 1 FROM " + table + IS_KEY + " AND claim_id = ?";
    }

    /** The text of an insert under a condition whose one parameter is the wait bound. */
    String insertIf(String condition) {
        return insert + condition + ", UTC_TIMESTAMP(6), NULL))";
    }

    /** Inserts, or reads the row that is there; null if the session has not the settings of the text's condition. */
    @Nullable
    ClaimAnswer insert(Connection connection, String text, NewClaim claim, long lockWait) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            bind(statement, claim, lockWait);
            statement.executeUpdate();
            requireUnchanged(statement);
            return ClaimAnswer.CLAIMED;
        } catch (SQLException e) {
            if (e.getErrorCode() == MysqlErrors.NULL_VALUE) {
                return null;
            }
            if (e.getErrorCode() != MysqlErrors.DUPLICATE_KEY) {
                throw e;
            }
        }
        return read(connection, stored, claim.key())
                .<ClaimAnswer>map(ClaimAnswer.Taken::new)
                .orElse(ClaimAnswer.VANISHED);
    }

    /** Costs no round trip if the server's answer counts no warnings. */
    private static void requireUnchanged(PreparedStatement statement) throws SQLException {
        for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            if (CHANGED.contains(warning.getErrorCode())) {
                throw new SQLException("The table cannot hold the claim as it is", "42000");
            }
        }
    }

    Optional<Claim> find(Connection connection, EventKey key) throws SQLException {
        return read(connection, find, key);
    }

    private static Optional<Claim> read(Connection connection, String text, EventKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            bindKey(statement, key);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(claim(key, row)) : Optional.empty();
            }
        }
    }

    /** Whether a claim's own row is there, for this transaction. */
    boolean stands(Connection connection, NewClaim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(own)) {
            bindKey(statement, claim.key());
            statement.setBytes(4, bytes(claim.claimId()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void bind(PreparedStatement statement, NewClaim claim, long lockWait) throws SQLException {
        bindKey(statement, claim.key());
        statement.setString(4, claim.hash().scheme());
        statement.setBytes(5, claim.hash().digest());
        statement.setBytes(6, bytes(claim.claimId()));
        statement.setLong(7, lockWait);
    }

    /** As bytes: a string's would depend on the connection's character set (M8). */
    private static void bindKey(PreparedStatement statement, EventKey key) throws SQLException {
        statement.setBytes(1, bytes(key.tenant()));
        statement.setBytes(2, bytes(key.consumer()));
        statement.setBytes(3, bytes(key.eventId()));
    }

    private static byte[] bytes(String part) {
        return part.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    private static Claim claim(EventKey key, ResultSet row) throws SQLException {
        ByteBuffer id = ByteBuffer.wrap(row.getBytes(3));
        long micros = row.getLong(4);
        Instant at = Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1_000L);
        return new Claim(
                key, PayloadHash.of(row.getString(1), row.getBytes(2)), new UUID(id.getLong(), id.getLong()), at);
    }
}
