package io.dedupstore.oracle;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;

/** An emulated Oracle with the store's table and an account. */
abstract class EmulatedScene {
    static final TableName TABLE = TableName.of("dedup_claim");
    static final String INSERT = "INSERT INTO \"DEDUP_CLAIM\"";

    final EmulatedOracle oracle = new EmulatedOracle(EmulatedFailure.DuplicateText.ORACLE_23AI);
    DedupStore store;

    @BeforeEach
    void prepare() throws SQLException {
        EmulatedStatement.know(new OracleSql(TABLE));
        store = DedupStore.builder(oracle).build();
        store.schema().create();
        run("CREATE TABLE account (id VARCHAR2(9) PRIMARY KEY, cents NUMBER(18))");
        run("INSERT INTO account VALUES ('a', 0)");
    }

    void run(String sql) throws SQLException {
        try (Connection connection = oracle.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = oracle.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    long cents() throws SQLException {
        return number("SELECT cents FROM account");
    }

    static Event event() {
        return Event.of(EventKey.of("billing", "event-" + UUID.randomUUID()), PayloadHash.ofText("payload"));
    }

    static Object credit(Handle tx) {
        return tx.execute("UPDATE account SET cents = cents + 1");
    }

    Connection transaction() throws SQLException {
        Connection connection = oracle.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }
}
