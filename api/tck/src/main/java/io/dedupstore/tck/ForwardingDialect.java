package io.dedupstore.tck;

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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Passes everything on; to be extended where one thing is to be different. */
public class ForwardingDialect implements DedupDialect {
    private final DedupDialect dialect;

    /**
     * Wraps a dialect.
     *
     * @param dialect where calls go
     */
    public ForwardingDialect(DedupDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public String name() {
        return dialect.name();
    }

    @Override
    public TableName table() {
        return dialect.table();
    }

    @Override
    public String ddl() {
        return dialect.ddl();
    }

    @Override
    public void validate(Connection connection) throws SQLException {
        dialect.validate(connection);
    }

    @Override
    public void requireAtRest(Connection connection) throws SQLException {
        dialect.requireAtRest(connection);
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options)
            throws SQLException, InterruptedException {
        DedupTransaction real = dialect.begin(connection, options);
        return new ForwardingTransaction(real) {
            @Override
            public ClaimAnswer claim(NewClaim claim) throws SQLException {
                return ForwardingDialect.this.claim(connection, claim, real::claim);
            }
        };
    }

    @Override
    public ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) throws SQLException {
        return claim(connection, claim, (Claiming) changed -> dialect.claim(connection, changed, lockWait));
    }

    /** How the real dialect claims: in a transaction that it began, or in a caller's. */
    public interface Claiming {
        /**
         * Claims.
         *
         * @param claim what to insert
         * @return the answer
         * @throws SQLException as the dialect throws it
         */
        ClaimAnswer claim(NewClaim claim) throws SQLException;
    }

    /**
     * Every claim comes through here, owned or joined.
     *
     * @param connection the transaction's connection
     * @param claim what to insert
     * @param real the real dialect's way
     * @return the answer
     * @throws SQLException as the dialect throws it
     */
    protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming real) throws SQLException {
        return real.claim(claim);
    }

    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        return dialect.find(connection, key, lockWait);
    }

    @Override
    public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException {
        return dialect.inspect(connection, claim, suspicious);
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return dialect.classify(failure);
    }

    @Override
    public boolean endsTransaction(String sql) {
        return dialect.endsTransaction(sql);
    }

    @Override
    public void usedWith(TransactionOptions options) {
        dialect.usedWith(options);
    }

    @Override
    public boolean isOpaque(String sql) {
        return dialect.isOpaque(sql);
    }

    @Override
    public void mark(Connection connection) throws SQLException {
        dialect.mark(connection);
    }

    @Override
    public boolean isMarked(Connection connection) throws SQLException {
        return dialect.isMarked(connection);
    }
}
