package io.dedupstore.benchmarks;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Plain JDBC on a pool: the bare transaction, and with a claim in front as a careful team would write it, in the statement
 * that is the fastest on each database. No claim id, no wait bound, no look at what became of the transaction, no answer when
 * a commit is in doubt.
 */
final class HandWritten implements Consumer {
    private static final String SELECT = "SELECT payload_hash FROM hand_claim WHERE consumer = ? AND event_id = ?";
    private static final int MYSQL_DUPLICATE = 1062;

    private final DataSource pool;
    private final @Nullable String insert;

    /** Without a claim. */
    HandWritten(DataSource pool) {
        this(pool, null);
    }

    private HandWritten(DataSource pool, @Nullable String insert) {
        this.pool = pool;
        this.insert = insert;
    }

    static HandWritten claiming(Database database, DataSource pool) throws SQLException {
        String insert = "INSERT INTO hand_claim (consumer, event_id, payload_hash) VALUES (?, ?, ?)";
        String bytes = switch (database) {
            case SQLITE -> "BLOB";
            case POSTGRES -> "BYTEA";
            case MYSQL -> "VARBINARY(32)";
        };
        String key = database == Database.MYSQL ? " VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" : " TEXT";
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS hand_claim (consumer" + key + " NOT NULL, event_id" + key
                    + " NOT NULL, payload_hash " + bytes + " NOT NULL, PRIMARY KEY (consumer, event_id))"
                    + (database == Database.SQLITE ? " WITHOUT ROWID" : ""));
        }
        return new HandWritten(pool, database == Database.MYSQL ? insert : insert + " ON CONFLICT DO NOTHING");
    }

    @Override
    public boolean consume(Delivery delivery, Hold hold) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                boolean claimed = insert == null || claim(connection, insert, delivery);
                if (claimed) {
                    Business.credit(connection, delivery.account());
                    hold.inTransaction();
                    connection.commit();
                } else {
                    connection.rollback();
                }
                return claimed;
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private static boolean claim(Connection connection, String insert, Delivery delivery) throws SQLException {
        byte[] hash = sha256(delivery.payload());
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, "bench");
            statement.setString(2, delivery.eventId());
            statement.setBytes(3, hash);
            if (statement.executeUpdate() == 1) {
                return true;
            }
        } catch (SQLException e) {
            if (e.getErrorCode() != MYSQL_DUPLICATE) {
                throw e;
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
            statement.setString(1, "bench");
            statement.setString(2, delivery.eventId());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || !Arrays.equals(row.getBytes(1), hash)) {
                    throw new Conflict();
                }
            }
        }
        return false;
    }

    private static byte[] sha256(String payload) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(payload.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same event with another payload. */
    static final class Conflict extends SQLException {
        private static final long serialVersionUID = 1L;
    }
}
