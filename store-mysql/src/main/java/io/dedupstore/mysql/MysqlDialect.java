package io.dedupstore.mysql;

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
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MySQL and MariaDB. The claim is {@link ClaimStatement}'s. */
final class MysqlDialect implements DedupDialect {
    private static final Logger LOG = LoggerFactory.getLogger(MysqlDialect.class);
    private static final int NO_SUCH_SAVEPOINT = 1305;
    private static final String MARK = "SAVEPOINT dedup_store_mark";

    private final TableName table;
    private final SqlName sqlName;
    private final SessionSettings.Server server;
    private final ClaimStatement statement;
    private final String joined;
    private volatile boolean canUndo;
    private final Map<TransactionIsolationLevel, String> owned = new EnumMap<>(TransactionIsolationLevel.class);

    MysqlDialect(TableName table, SessionSettings.Server server) {
        this.table = table;
        this.sqlName = new SqlName(table);
        this.server = server;
        this.statement = new ClaimStatement(sqlName);
        this.joined = statement.insertIf(server.condition());
        for (TransactionIsolationLevel level : TransactionIsolationLevel.values()) {
            owned.put(level, statement.insertIf(server.condition(written(level))));
        }
    }

    @Override
    public String name() {
        return server.mariaDb() ? "MariaDB" : "MySQL";
    }

    @Override
    public TableName table() {
        return table;
    }

    @Override
    public String ddl() {
        try (InputStream in = MysqlDialect.class.getResourceAsStream("schema.sql")) {
            byte[] script = Objects.requireNonNull(in, "schema.sql").readAllBytes();
            return sqlName.in(new String(script, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void validate(Connection connection) throws SQLException {
        MysqlTable.requireFit(connection, table);
    }

    @Override
    public void usedWith(TransactionOptions options) {
        SessionSettings wanted = wanted(options);
        if (!wanted.equals(server.settings())) {
            LOG.warn(
                    "{}'s sessions have transaction_isolation={} and innodb_lock_wait_timeout={}; the store needs {} and {}"
                            + " and sets them for every claim, which costs round trips. Add to the pool's URL:"
                            + " sessionVariables={}='{}',innodb_lock_wait_timeout={}",
                    name(),
                    server.settings().isolation(),
                    server.settings().lockWait(),
                    wanted.isolation(),
                    wanted.lockWait(),
                    server.isolationVariable(),
                    wanted.isolation(),
                    wanted.lockWait());
        }
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options) throws SQLException {
        SessionSettings wanted = wanted(options);
        String text = Objects.requireNonNull(owned.get(options.isolation()));
        return MysqlTransaction.begin(
                connection,
                new MysqlTransaction.Claiming() {
                    @Override
                    public @Nullable ClaimAnswer claim(Connection same, NewClaim claim) throws SQLException {
                        return statement.insert(same, text, claim, wanted.lockWait());
                    }

                    @Override
                    public SessionSettings.Changed set(Connection same) throws SQLException {
                        return SessionSettings.Changed.both(same, server, wanted);
                    }
                },
                !wanted.equals(server.settings()));
    }

    private SessionSettings wanted(TransactionOptions options) {
        return new SessionSettings(written(options.isolation()), seconds(options.lockWait()));
    }

    /** The level as the server writes it; READ COMMITTED unless another is asked for (A5). */
    private static String written(TransactionIsolationLevel level) {
        return switch (level) {
            case READ_UNCOMMITTED, REPEATABLE_READ, SERIALIZABLE -> level.name().replace('_', '-');
            default -> "READ-COMMITTED";
        };
    }

    /** The server counts whole seconds, from 1 on; MariaDB also knows not to wait. */
    private long seconds(Duration lockWait) {
        long whole = lockWait.plusNanos(999_999_999).toSeconds();
        return Math.max(whole, server.mariaDb() ? 0 : 1);
    }

    @Override
    public ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException {
        if (!canUndo) {
            MysqlTable.requireRollback(connection, table, sqlName);
            canUndo = true;
        }
        long seconds = seconds(lockWait);
        ClaimAnswer answer =
                server.settings().lockWait() == seconds ? statement.insert(connection, joined, claim, seconds) : null;
        return answer != null
                ? answer
                : within(connection, seconds, () -> requireKept(statement.insert(connection, joined, claim, seconds)));
    }

    private static ClaimAnswer requireKept(@Nullable ClaimAnswer answer) throws SQLException {
        if (answer == null) {
            throw new SQLException("The session does not keep innodb_lock_wait_timeout", "42000");
        }
        return answer;
    }

    private interface Asking<T> {
        T ask() throws SQLException;
    }

    /** In a session with another wait bound, which it has again afterwards, also if the statement failed (A7). */
    private static <T> T within(Connection connection, long seconds, Asking<T> asking) throws SQLException {
        SessionSettings.Changed changed = SessionSettings.Changed.lockWait(connection, seconds);
        T answer;
        try {
            answer = asking.ask();
        } catch (SQLException | RuntimeException e) {
            try {
                changed.restore();
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            throw e;
        }
        changed.restore();
        return answer;
    }

    /** Readers wait for writers only in a serializable transaction, which auto-commit off begins. */
    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        boolean locks = server.settings().isolation().equals("SERIALIZABLE") && !connection.getAutoCommit();
        return locks
                ? within(connection, seconds(lockWait), () -> statement.find(connection, key))
                : statement.find(connection, key);
    }

    /** After a rollback by the server the claim is gone, or is another's (F2). */
    @Override
    public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException {
        return !suspicious || statement.stands(connection, claim) ? TransactionState.WHOLE : TransactionState.ENDED;
    }

    /** A savepoint: whatever ends the transaction, a commit included, takes it away. */
    @Override
    public void mark(Connection connection) throws SQLException {
        run(connection, MARK);
    }

    @Override
    public boolean isMarked(Connection connection) throws SQLException {
        try {
            run(connection, "RELEASE " + MARK);
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_SAVEPOINT) {
                return false;
            }
            throw e;
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement plain = connection.createStatement()) {
            plain.execute(sql);
        }
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return MysqlErrors.kind(failure);
    }

    @Override
    public boolean endsTransaction(String sql) {
        return ImplicitCommit.in(sql, ImplicitCommit::by);
    }

    @Override
    public boolean isOpaque(String sql) {
        return ImplicitCommit.in(sql, ImplicitCommit::possibleIn);
    }
}
