package io.dedupstore.postgres;

import io.dedupstore.StoreConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;

/** The way from a pool's connection to the driver's, which knows the transaction's state without asking the server. */
final class Driver {
    private Driver() {}

    static BaseConnection of(Connection connection) throws SQLException {
        if (connection instanceof BaseConnection driver) {
            return driver;
        }
        if (!connection.isWrapperFor(BaseConnection.class)) {
            throw new StoreConfigurationException(
                    "The connection (" + connection.getClass().getName()
                            + ") leads to none of the PostgreSQL JDBC driver's (org.postgresql:postgresql). Use that driver, and a"
                            + " pool whose connections can be unwrapped to it.");
        }
        return connection.unwrap(BaseConnection.class);
    }
}
