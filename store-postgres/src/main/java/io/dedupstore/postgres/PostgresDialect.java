package io.dedupstore.postgres;

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
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * PostgreSQL. The claim is {@link ClaimStatement}'s; the transaction's state comes from the driver, which has it from every
 * answer of the server.
 */
final class PostgresDialect implements DedupDialect {
    private final TableName table;
    private final SqlName sqlName;
    private final ClaimStatement statement;
    private final Guard guard;

    /** What the sessions of this store's pool normally have; only a guess, which every claim checks. */
    private volatile SessionSettings usual;

    PostgresDialect(TableName table, SessionSettings usual) {
        this.table = table;
        this.sqlName = new SqlName(table);
        this.statement = new ClaimStatement(sqlName.table());
        this.guard = new Guard(sqlName.table());
        this.usual = usual;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public TableName table() {
        return table;
    }

    @Override
    public String ddl() {
        try (InputStream in = PostgresDialect.class.getResourceAsStream("schema.sql")) {
            byte[] script = Objects.requireNonNull(in, "schema.sql").readAllBytes();
            return sqlName.in(new String(script, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void validate(Connection connection) throws SQLException {
        PostgresTable.requireFit(connection, table, sqlName);
    }

    @Override
    public void requireAtRest(Connection connection) throws SQLException {
        PostgresTransaction.requireAtRest(Driver.of(connection));
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options) throws SQLException {
        String isolation = written(options.isolation());
        boolean explicit = !isolation.equals(usual.isolation());
        return PostgresTransaction.begin(this, connection, isolation, explicit, options.lockWait());
    }

    /** The level as the server writes it; READ COMMITTED unless another is asked for (A5). */
    private static String written(TransactionIsolationLevel level) {
        return switch (level) {
            case READ_UNCOMMITTED, REPEATABLE_READ, SERIALIZABLE ->
                level.name().replace('_', ' ').toLowerCase(Locale.ROOT);
            default -> "read committed";
        };
    }

    @Override
    public ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException {
        ClaimStatement.Answer answer = statement.claim(connection, claim, lockWait, usual);
        learn(answer.before(), false);
        return answer.answer();
    }

    /** The first claim of an owned transaction, which also tells at which level that runs. */
    ClaimAnswer claimFirst(PostgresTransaction own, Connection connection, NewClaim claim, Duration lockWait)
            throws SQLException {
        ClaimStatement.Answer answer = statement.claim(connection, claim, lockWait, usual);
        boolean wrongLevel = !answer.before().isolation().equals(own.isolation());
        learn(answer.before(), wrongLevel);
        if (wrongLevel) {
            own.beginAgain();
            answer = statement.claim(connection, claim, lockWait, usual);
        }
        return answer.answer();
    }

    /** What a caller's own transaction does with its isolation level says nothing of others. */
    private void learn(SessionSettings seen, boolean withIsolation) {
        SessionSettings known = usual;
        if (withIsolation || !seen.sameTimeouts(known)) {
            usual = withIsolation ? seen : seen.withIsolation(known.isolation());
        }
    }

    /** Readers do not wait for writers here, so there is nothing to bound. */
    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        return statement.find(connection, key);
    }

    @Override
    public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException {
        return guard.inspect(connection, claim, suspicious);
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return PostgresErrors.kind(failure);
    }
}
