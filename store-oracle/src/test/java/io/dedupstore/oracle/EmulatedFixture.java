package io.dedupstore.oracle;

import io.dedupstore.tck.Capability;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** The kit's server, emulated. */
final class EmulatedFixture extends OracleFixture {
    private final EmulatedOracle oracle;

    EmulatedFixture(EmulatedOracle oracle, boolean locking) {
        super(locking);
        this.oracle = oracle;
    }

    @Override
    public DataSource dataSource() {
        return oracle;
    }

    @Override
    public int waitingClaims() {
        return oracle.waitingClaims();
    }

    @Override
    public Connection readOnlyConnection() throws SQLException {
        Connection connection = oracle.getConnection();
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Connection driverConnection(Connection connection) throws SQLException {
        return connection.unwrap(EmulatedConnection.class);
    }

    /** Oracle has them; H2 has not. */
    @Override
    public Set<Capability> lacks() {
        return Set.of(Capability.DEFERRED_CONSTRAINTS);
    }
}
