package io.dedupstore.oracle;

import io.dedupstore.spi.NewClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A plain INSERT under the driver's query timeout. Oracle has no timeout for row locks (fact O6); the driver's is a clock in
 * this JVM that breaks the call off, in whole seconds, and best effort: {@link io.dedupstore.oracle} says when it fails.
 */
final class PlainInsertion implements Claims.Insertion {
    private final String insert;

    PlainInsertion(OracleSql sql) {
        this.insert = sql.insert();
    }

    @Override
    public boolean insert(Connection connection, NewClaim claim, byte[] digest, Duration lockWait) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            Claims.bind(statement, 1, claim, digest);
            return Claims.within(Claims.seconds(lockWait), statement, statement::executeUpdate) == 1;
        }
    }
}
