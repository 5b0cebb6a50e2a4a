package io.dedupstore.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The business change that every contender makes: one UPDATE by primary key. */
final class Business {
    private Business() {}

    static void credit(Connection connection, String account) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE account SET cents = cents + ? WHERE id = ?")) {
            statement.setLong(1, 1);
            statement.setString(2, account);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("There is no such account.");
            }
        }
    }
}
