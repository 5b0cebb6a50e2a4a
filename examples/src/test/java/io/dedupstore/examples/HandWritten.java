package io.dedupstore.examples;

import io.dedupstore.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** What somebody would write without this library, and as fast as can be: statements are prepared once. */
final class HandWritten implements AutoCloseable {
    private final Connection connection;
    private final boolean rawBegin;
    private final Statement begin;
    private final PreparedStatement claim;
    private final PreparedStatement credit;

    HandWritten(Connection connection, boolean rawBegin) throws SQLException {
        this.connection = connection;
        this.rawBegin = rawBegin;
        this.begin = connection.createStatement();
        this.claim = connection.prepareStatement(CheckDatabase.CLAIM);
        this.credit = connection.prepareStatement(CheckDatabase.CREDIT);
        connection.setAutoCommit(rawBegin);
    }

    void apply(Event event, int account) throws SQLException {
        if (rawBegin) {
            begin.execute("BEGIN IMMEDIATE");
        }
        CheckDatabase.bind(claim, event);
        if (claim.executeUpdate() == 1) {
            credit.setInt(1, 2500);
            credit.setInt(2, account);
            credit.executeUpdate();
        }
        if (rawBegin) {
            begin.execute("COMMIT");
        } else {
            connection.commit();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
