package io.dedupstore.sqlite;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TableName;
import io.dedupstore.spi.TransactionOptions;
import io.dedupstore.spi.TransactionState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.sqlite.SQLiteConnection;

/**
 * SQLite. {@code INSERT … ON CONFLICT (key) DO NOTHING} counts 0 for this key only and lets every other constraint fail;
 * the read that follows sees the latest committed claim, because the insert has made this the file's writer.
 */
final class SqliteDialect implements DedupDialect {
    private final TableName table;
    private final WriterQueue queue;
    private final String insert;
    private final String select;

    SqliteDialect(TableName table, WriterQueue queue) {
        this.table = table;
        this.queue = queue;
        String key = "tenant, consumer, event_id";
        // the comment keeps the driver from asking for the row id after each insert, which it does by the text's first
        // word
        this.insert = "/* claim */ INSERT INTO " + table + " (" + key + ", hash_scheme, payload_hash, claim_id)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (" + key + ") DO NOTHING";
        this.select = "SELECT hash_scheme, payload_hash, claim_id, claimed_at FROM " + table
                + " WHERE tenant = ? AND consumer = ? AND event_id = ?";
    }

    @Override
    public String name() {
        return "SQLite";
    }

    @Override
    public TableName table() {
        return table;
    }

    /** How many owned claims of this JVM wait for their turn, for tests. */
    int waiting() {
        return queue.waiting();
    }

    @Override
    public String ddl() {
        try (InputStream in = SqliteDialect.class.getResourceAsStream("schema.sql")) {
            byte[] script = Objects.requireNonNull(in, "schema.sql").readAllBytes();
            return new String(script, StandardCharsets.UTF_8).replace(TableName.DEFAULT, table.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void validate(Connection connection) throws SQLException {
        SqliteTable.requireFit(connection, table);
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options)
            throws SQLException, InterruptedException {
        return SqliteTransaction.begin(this, driver(connection), queue, options);
    }

    /** The wait is SQLite's own; after an older read in the same transaction it refuses at once (BUSY_SNAPSHOT). */
    @Override
    public ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException {
        SQLiteConnection driver = driver(connection);
        if (queue.isMine()) {
            return claim(driver, claim);
        }
        try (BusyWait bound = BusyWait.of(driver, lockWait)) {
            return claim(driver, claim);
        }
    }

    /** Without waiting, in a transaction that is the file's writer already; else the wait is as long as is set. */
    ClaimAnswer claim(SQLiteConnection driver, NewClaim claim) throws SQLException {
        if (insert(driver, claim)) {
            return ClaimAnswer.CLAIMED;
        }
        Optional<Claim> stored = read(driver, claim.key());
        return stored.isPresent() ? new ClaimAnswer.Taken(stored.get()) : ClaimAnswer.VANISHED;
    }

    private boolean insert(SQLiteConnection driver, NewClaim claim) throws SQLException {
        return Statements.use(driver, insert, statement -> {
            bindKey(statement, claim.key());
            statement.setString(4, claim.hash().scheme());
            statement.setBytes(5, claim.hash().digest());
            statement.setBytes(6, bytes(claim.claimId()));
            return statement.executeUpdate() == 1;
        });
    }

    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        SQLiteConnection driver = driver(connection);
        try (BusyWait bound = BusyWait.of(driver, lockWait)) {
            return read(driver, key);
        }
    }

    private Optional<Claim> read(SQLiteConnection driver, EventKey key) throws SQLException {
        return Statements.use(driver, select, statement -> {
            bindKey(statement, key);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(claim(key, row)) : Optional.empty();
            }
        });
    }

    private static void bindKey(PreparedStatement statement, EventKey key) throws SQLException {
        statement.setString(1, key.tenant());
        statement.setString(2, key.consumer());
        statement.setString(3, key.eventId());
    }

    private static Claim claim(EventKey key, ResultSet row) throws SQLException {
        PayloadHash hash = PayloadHash.of(row.getString(1), row.getBytes(2));
        return new Claim(key, hash, uuid(row.getBytes(3)), Instant.ofEpochMilli(row.getLong(4)));
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    private static UUID uuid(byte[] bytes) {
        ByteBuffer id = ByteBuffer.wrap(bytes);
        return new UUID(id.getLong(), id.getLong());
    }

    /** SQLite rolls back by itself on some errors, and the driver does not tell; the claim's row does. */
    @Override
    public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException {
        if (!suspicious) {
            return TransactionState.WHOLE;
        }
        boolean mine = read(driver(connection), claim.key())
                .filter(stored -> stored.claimId().equals(claim.claimId()))
                .isPresent();
        return mine ? TransactionState.WHOLE : TransactionState.ENDED;
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return SqliteErrors.kind(failure);
    }

    private static SQLiteConnection driver(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(SQLiteConnection.class)) {
            throw new StoreConfigurationException(
                    "The connection (" + connection.getClass().getName()
                            + ") is none of the SQLite driver's; claim on a connection to the store's own database.");
        }
        SQLiteConnection driver = connection.unwrap(SQLiteConnection.class);
        if (driver.isClosed()) {
            // the driver itself gives this neither a code nor a state
            throw new SQLNonTransientConnectionException("The connection is closed", "08003");
        }
        return driver;
    }
}
