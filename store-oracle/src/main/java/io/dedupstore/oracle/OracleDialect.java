package io.dedupstore.oracle;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
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
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Oracle. The claim is {@link Claims}'; which lock bounds its wait is the {@link Claims.Insertion}'s. */
final class OracleDialect implements DedupDialect {
    private final TableName table;
    private final OracleSql sql;
    private final Claims claims;
    private final boolean locking;

    private OracleDialect(TableName table, OracleSql sql, Claims.Insertion insertion, boolean locking) {
        this.table = table;
        this.sql = sql;
        this.claims = new Claims(sql, new ViolatedKey(table), insertion);
        this.locking = locking;
    }

    static OracleDialect plain(TableName table) {
        OracleSql sql = new OracleSql(table);
        return new OracleDialect(table, sql, new PlainInsertion(sql), false);
    }

    static OracleDialect locking(TableName table) {
        OracleSql sql = new OracleSql(table);
        return new OracleDialect(table, sql, new LockedInsertion(sql), true);
    }

    @Override
    public String name() {
        return "Oracle";
    }

    @Override
    public TableName table() {
        return table;
    }

    @Override
    public String ddl() {
        try (InputStream in = OracleDialect.class.getResourceAsStream("schema.sql")) {
            byte[] script = Objects.requireNonNull(in, "schema.sql").readAllBytes();
            return sql.in(new String(script, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void validate(Connection connection) throws SQLException {
        OracleTable.requireFit(connection, table);
        if (locking) {
            OracleTable.requireLock(connection);
        }
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options) throws SQLException {
        return OracleTransaction.begin(connection, claims, options);
    }

    @Override
    public ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException {
        return claims.claim(connection, claim, lockWait);
    }

    /** Readers do not wait for writers here, so there is nothing to bound. */
    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        return claims.find(connection, key);
    }

    @Override
    public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException {
        return suspicious ? claims.inspect(connection, claim) : TransactionState.WHOLE;
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return OracleErrors.kind(failure);
    }

    @Override
    public boolean endsTransaction(String statement) {
        return OracleStatements.endTransaction(statement);
    }
}
