package io.dedupstore.postgres;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.NewClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The claim, in one round trip: one prepared text of three statements, which the driver sends together, with BEGIN in front
 * where a transaction begins.
 *
 * <ol>
 *   <li>notes the session's timeouts and sets the wait bound, until the transaction's end;
 *   <li>inserts, waiting for an undecided holder. {@code DO NOTHING} writes nothing, locks no row and takes no transaction
 *       id on a duplicate, and needs no right but INSERT and SELECT. The target makes other constraints fail (E1);
 *   <li>puts the timeouts back and reads the claim that stands there, which may be the new one. At READ COMMITTED each
 *       statement has a snapshot of its own, so it sees a claim that was committed while the second one waited. In one
 *       statement with the insert it would not (fact P2).
 * </ol>
 *
 * The timeouts cannot be carried from the first to the third statement without leaving a setting behind. So the third puts
 * back the values that were met last; if the first found others, or the row was purged in between, one more round trip puts
 * back those. A failure undoes the settings with the transaction, or with the savepoint that it is rolled back to.
 *
 * <p>{@code lock_timeout} is the bound for one holder and has an error code of its own. It starts anew when a holder rolls
 * back and another takes the key, so {@code statement_timeout} bounds the sum. Both are transaction-local, thus right
 * behind a transaction-pooling proxy.
 */
final class ClaimStatement {
    /** How much later than the bound the sum of waits ends: the lock timeout is to come first where there is one holder. */
    private static final Duration SLACK = Duration.ofMillis(50);

    private static final String KEY = "tenant, consumer, event_id";
    private static final String STORED = "k.hash_scheme, k.payload_hash, k.claim_id,"
            // a number: neither the session's time zone nor its DateStyle has a say
            + " (extract(epoch FROM k.claimed_at) * 1000000)::bigint";
    private static final String IS_KEY = "k.tenant = ? AND k.consumer = ? AND k.event_id = ?";
    /** One column again. Operands are evaluated from left to right. */
    private static final String SET = "set_config('lock_timeout', ?, true) || set_config('statement_timeout', ?, true)";

    private final String claim;
    private final String find;

    /** What the claim found. */
    record Answer(ClaimAnswer answer, SessionSettings before) {}

    ClaimStatement(String table) {
        this.claim = "SELECT " + SessionSettings.TEXT + " || left(" + SET + ", 0)"
                + "; INSERT INTO " + table + " (" + KEY + ", hash_scheme, payload_hash, claim_id)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (" + KEY + ") DO NOTHING"
                + "; SELECT " + STORED + ", " + SET
                + " FROM " + table + " AS k WHERE " + IS_KEY;
        this.find = "SELECT " + STORED + " FROM " + table + " AS k WHERE " + IS_KEY;
    }

    Answer claim(Connection connection, NewClaim claim, Duration lockWait, SessionSettings usual) throws SQLException {
        Answer answer = send(connection, claim, lockWait, usual);
        // no row, so nothing was put back
        if (answer.answer() == ClaimAnswer.VANISHED || !answer.before().sameTimeouts(usual)) {
            restore(connection, answer.before());
        }
        return answer;
    }

    private Answer send(Connection connection, NewClaim claim, Duration lockWait, SessionSettings usual)
            throws SQLException {
        long asked = System.nanoTime();
        try (PreparedStatement statement = connection.prepareStatement(this.claim)) {
            bind(statement, claim, lockWait, usual);
            statement.execute();
            SessionSettings before = settings(statement, usual);
            statement.getMoreResults();
            boolean inserted = statement.getUpdateCount() == 1;
            statement.getMoreResults();
            return new Answer(inserted ? ClaimAnswer.CLAIMED : stored(statement, claim.key()), before);
        } catch (SQLException e) {
            boolean atBound = System.nanoTime() - asked >= lockWait.toNanos();
            if (atBound && PostgresErrors.QUERY_CANCELED.equals(e.getSQLState())) {
                throw new SQLException("The claim waited for several holders", PostgresErrors.LOCK_NOT_AVAILABLE, e);
            }
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, NewClaim claim, Duration lockWait, SessionSettings usual)
            throws SQLException {
        statement.setString(1, Long.toString(lockWait.toMillis()));
        statement.setString(2, usual.statementTimeoutWithin(lockWait.plus(SLACK)));
        bindKey(statement, 3, claim.key());
        statement.setString(6, claim.hash().scheme());
        statement.setBytes(7, claim.hash().digest());
        statement.setObject(8, claim.claimId());
        statement.setString(9, usual.lockTimeout());
        statement.setString(10, usual.statementTimeout());
        bindKey(statement, 11, claim.key());
    }

    private static SessionSettings settings(PreparedStatement statement, SessionSettings usual) throws SQLException {
        try (ResultSet row = statement.getResultSet()) {
            row.next();
            String text = row.getString(1);
            return text.equals(usual.text()) ? usual : SessionSettings.parse(text);
        }
    }

    private static ClaimAnswer stored(PreparedStatement statement, EventKey key) throws SQLException {
        try (ResultSet row = statement.getResultSet()) {
            return row.next() ? new ClaimAnswer.Taken(claim(key, row)) : ClaimAnswer.VANISHED;
        }
    }

    private static void restore(Connection connection, SessionSettings before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + SET)) {
            statement.setString(1, before.lockTimeout());
            statement.setString(2, before.statementTimeout());
            statement.execute();
        }
    }

    Optional<Claim> find(Connection connection, EventKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(find)) {
            bindKey(statement, 1, key);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(claim(key, row)) : Optional.empty();
            }
        }
    }

    private static void bindKey(PreparedStatement statement, int from, EventKey key) throws SQLException {
        statement.setString(from, key.tenant());
        statement.setString(from + 1, key.consumer());
        statement.setString(from + 2, key.eventId());
    }

    private static Claim claim(EventKey key, ResultSet row) throws SQLException {
        long micros = row.getLong(4);
        Instant at = Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1_000L);
        return new Claim(key, PayloadHash.of(row.getString(1), row.getBytes(2)), row.getObject(3, UUID.class), at);
    }
}
