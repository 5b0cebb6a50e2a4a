package io.dedupstore.examples;

import io.dedupstore.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** What somebody would write without this library, and as fast as can be: statements are prepared once. */
final class HandWritten implements AutoCloseable {
    private final Connection connection;
    private final Handle handle;
    private final boolean rawBegin;
    private final Statement begin;
    private final PreparedStatement claim;
    private final PreparedStatement credit;

    HandWritten(Connection connection, boolean rawBegin) throws SQLException {
        this.connection = connection;
        this.handle = Jdbi.create(connection).open();
        this.rawBegin = rawBegin;
        this.begin = connection.createStatement();
        this.claim = connection.prepareStatement(CheckDatabase.CLAIM);
        this.credit = connection.prepareStatement(CheckDatabase.CREDIT);
        connection.setAutoCommit(rawBegin);
    }

    /** Where the UPDATE is made. */
    private interface Credit {
        void to(int account) throws SQLException;
    }

    void apply(Event event, int account) throws SQLException {
        apply(event, account, this::credit);
    }

    /** The same with Jdbi where the work is: what that costs is not the store's. */
    void applyWithJdbi(Event event, int account) throws SQLException {
        apply(event, account, id -> handle.execute(CheckDatabase.CREDIT, 2500, id));
    }

    private void credit(int account) throws SQLException {
        credit.setInt(1, 2500);
        credit.setInt(2, account);
        credit.executeUpdate();
    }

    private void apply(Event event, int account, Credit work) throws SQLException {
        if (rawBegin) {
            begin.execute("BEGIN IMMEDIATE");
        }
        CheckDatabase.bind(claim, event);
        if (claim.executeUpdate() == 1) {
            work.to(account);
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
