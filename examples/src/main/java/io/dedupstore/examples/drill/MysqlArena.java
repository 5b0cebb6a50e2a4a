package io.dedupstore.examples.drill;

import io.dedupstore.examples.UsageException;
import io.dedupstore.servers.MysqlBinaries;
import io.dedupstore.servers.MysqlMessages;
import io.dedupstore.servers.MysqlServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** MySQL or MariaDB, each by its own driver. */
final class MysqlArena extends ServerArena {
    private static final String SPOIL = Bank.PREFIX + "spoil";
    private static final String NO_SUCH_THREAD = "HY000";

    private final boolean mariaDb;

    private MysqlArena(MysqlBinaries binaries) throws IOException, SQLException {
        super(MysqlServer.start(binaries), MysqlMessages::new);
        this.mariaDb = binaries.scheme().equals("mariadb");
        run("CREATE PROCEDURE " + SPOIL + "() BEGIN ROLLBACK; SIGNAL SQLSTATE '45000'; END");
    }

    static MysqlArena mysql() throws IOException, SQLException, UsageException {
        return new MysqlArena(MysqlBinaries.mysql80()
                .orElseThrow(() -> new UsageException("The examples carry MySQL for Linux on x86-64 only.")));
    }

    static MysqlArena mariaDb() throws IOException, SQLException, UsageException {
        return new MysqlArena(MysqlBinaries.mariaDb()
                .orElseThrow(() -> new UsageException(
                        "MariaDB is not among the examples' servers unless Maven is called with -Pmariadb too.")));
    }

    /** The server counts lock waits in whole seconds, and 8.0.12 looks once a second. */
    @Override
    String parameters() {
        return "&connectTimeout=2000&socketTimeout=3000"
                + (mariaDb ? "" : "&useLocalSessionState=true&cachePrepStmts=true")
                + "&sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=1";
    }

    @Override
    Duration longerThanLocksAreWaitedFor() {
        return Duration.ofMillis(2100);
    }

    /**
     * A procedure that cleans up too much before it reports. A statement by itself fails and ends its transaction here only
     * as a victim of a deadlock, which the store knows by its number, whatever became of the transaction.
     */
    @Override
    public String spoiling() {
        return "CALL " + SPOIL + "()";
    }

    @Override
    int endSessions(Random random) throws SQLException {
        List<Long> sessions = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT trx_mysql_thread_id FROM information_schema.innodb_trx"
                        + " WHERE trx_mysql_thread_id % 2 = " + random.nextInt(2))) {
            while (rows.next()) {
                sessions.add(rows.getLong(1));
            }
        }
        int ended = 0;
        for (long session : sessions) {
            ended += end(session) ? 1 : 0;
        }
        return ended;
    }

    private boolean end(long session) throws SQLException {
        try {
            run("KILL " + session);
            return true;
        } catch (SQLException e) {
            if (NO_SUCH_THREAD.equals(e.getSQLState())) {
                return false; // it was quicker
            }
            throw e;
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    String countingSessions() {
        return "SELECT count(*) FROM information_schema.processlist WHERE user = 'root' AND id <> CONNECTION_ID()";
    }
}
