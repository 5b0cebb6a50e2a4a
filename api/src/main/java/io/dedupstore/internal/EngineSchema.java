package io.dedupstore.internal;

import io.dedupstore.DedupException;
import io.dedupstore.DedupSchema;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Creates and validates the claim table. */
final class EngineSchema implements DedupSchema {
    private final Engine engine;

    EngineSchema(Engine engine) {
        this.engine = engine;
    }

    @Override
    public void create() {
        String whatFailed = "The table " + engine.dialect().table() + " could not be created";
        try (OwnedTransaction transaction = engine.connect(whatFailed)) {
            transaction.begin(engine, engine.options());
            if (!isFit(transaction.raw())) {
                runDdlUnlessOthersDid(transaction.raw());
            }
            engine.dialect().validate(transaction.raw());
            transaction.commit();
            engine.tableIsFit();
        } catch (SQLException e) {
            throw failed(whatFailed, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransientStoreException(
                    TransientStoreException.Reason.INTERRUPTED, whatFailed + ": the thread was interrupted.", null);
        }
    }

    /** Then nothing is run, so that no right to create tables is needed, and no lock taken. */
    private boolean isFit(Connection connection) throws SQLException {
        try {
            engine.dialect().validate(connection);
            return true;
        } catch (StoreConfigurationException missingOrUnfit) {
            return false;
        }
    }

    /** Where the script fails if the table is there, of several processes that create it at once all but one fail. */
    private void runDdlUnlessOthersDid(Connection connection) throws SQLException {
        try {
            runDdl(connection);
        } catch (SQLException e) {
            if (!isFitNow(connection)) {
                throw e;
            }
        }
    }

    private boolean isFitNow(Connection connection) {
        try {
            return isFit(connection);
        } catch (SQLException spoiltByTheFailure) {
            return false;
        }
    }

    private void runDdl(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : ddl().split(";\\s*(\\n|$)", -1)) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        }
    }

    @Override
    public void validate() {
        engine.read("The table " + engine.dialect().table() + " could not be validated", connection -> {
            engine.dialect().validate(connection);
            engine.tableIsFit();
            return true;
        });
    }

    @Override
    public String ddl() {
        return engine.dialect().ddl();
    }

    private DedupException failed(String whatFailed, SQLException e) {
        return engine.failures().because(engine.kindOf(e), whatFailed, e);
    }
}
