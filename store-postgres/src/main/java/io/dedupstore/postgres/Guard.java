package io.dedupstore.postgres;

import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;

/**
 * Whether the transaction is still the one in which the claim was made (A3). The driver knows the state from the server's
 * last answer. Only what was done on the driver's own connection, behind the engine's guard, needs a question: a COMMIT
 * there, with a statement after it, leaves a transaction open that is another.
 */
final class Guard {
    private final String writtenHere;

    Guard(String table) {
        // A row version that is visible and whose writer is in progress is this transaction's own. The writer may be a
        // subtransaction, so the ids are not simply compared; xmin lacks the upper half of a transaction id.
        this.writtenHere =
                "SELECT pg_xact_status((cur.id + ((k.xmin::text::bigint - (cur.id & 4294967295) + 6442450944)"
                        + " % 4294967296) - 2147483648)::text::xid8) = 'in progress'"
                        + " FROM (SELECT pg_current_xact_id()::text::bigint AS id) AS cur, " + table + " AS k"
                        + " WHERE k.tenant = ? AND k.consumer = ? AND k.event_id = ? AND k.claim_id = ?";
    }

    TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) throws SQLException {
        BaseConnection driver = Driver.of(connection);
        if (driver.isClosed()) {
            return TransactionState.ENDED;
        }
        return switch (driver.getTransactionState()) {
            case IDLE -> TransactionState.ENDED;
            case FAILED -> TransactionState.ABORTED;
            case OPEN ->
                !suspicious || writtenHere(connection, claim) ? TransactionState.WHOLE : TransactionState.ENDED;
        };
    }

    private boolean writtenHere(Connection connection, NewClaim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(writtenHere)) {
            statement.setString(1, claim.key().tenant());
            statement.setString(2, claim.key().consumer());
            statement.setString(3, claim.key().eventId());
            statement.setObject(4, claim.claimId());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }
}
