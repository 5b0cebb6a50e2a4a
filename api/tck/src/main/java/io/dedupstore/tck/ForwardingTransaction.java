package io.dedupstore.tck;

import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Passes everything on; to be extended where one thing is to be different. */
public class ForwardingTransaction implements DedupTransaction {
    private final DedupTransaction transaction;

    /**
     * Wraps a transaction.
     *
     * @param transaction where calls go
     */
    public ForwardingTransaction(DedupTransaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public ClaimAnswer claim(NewClaim claim) throws SQLException {
        return transaction.claim(claim);
    }

    @Override
    public PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return transaction.prepare(connection, sql);
    }

    @Override
    public void giveBack(String sql, PreparedStatement statement) throws SQLException {
        transaction.giveBack(sql, statement);
    }

    @Override
    public void commit() throws SQLException {
        transaction.commit();
    }

    @Override
    public void rollback() throws SQLException {
        transaction.rollback();
    }

    @Override
    public void close() throws SQLException {
        transaction.close();
    }
}
