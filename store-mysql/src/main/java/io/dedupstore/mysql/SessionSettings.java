package io.dedupstore.mysql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The settings of a session on which a claim depends.
 *
 * @param isolation the isolation level as the server writes it, such as {@code READ-COMMITTED}
 * @param lockWait {@code innodb_lock_wait_timeout}, in seconds
 */
record SessionSettings(String isolation, long lockWait) {
    private static final String LOCK_WAIT = "innodb_lock_wait_timeout";

    /**
     * The server behind a connection.
     *
     * @param mariaDb whether it is a MariaDB
     * @param version such as {@code 8.0.12} or {@code 11.4.5-MariaDB}
     * @param isolationVariable what this version calls the isolation level
     * @param settings what the session has
     */
    record Server(boolean mariaDb, String version, String isolationVariable, SessionSettings settings) {
        /** Asks, in one round trip and in words that all versions know. */
        static Server of(Connection connection) throws SQLException {
            String version = "";
            String variable = "tx_isolation";
            String isolation = "";
            long lockWait = 0;
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SHOW SESSION VARIABLES WHERE Variable_name IN ('version',"
                            + " 'transaction_isolation', 'tx_isolation', '" + LOCK_WAIT + "')")) {
                while (rows.next()) {
                    String value = rows.getString(2);
                    switch (rows.getString(1)) {
                        case "version" -> version = value;
                        case LOCK_WAIT -> lockWait = Long.parseLong(value);
                        case "transaction_isolation" -> {
                            variable = "transaction_isolation";
                            isolation = value;
                        }
                        default -> isolation = value;
                    }
                }
            }
            return new Server(version.contains("MariaDB"), version, variable, new SessionSettings(isolation, lockWait));
        }

        /** The condition that a session has these settings. */
        String condition(String isolation) {
            return "@@" + isolationVariable + " = '" + isolation + "' AND " + condition();
        }

        /** The condition that a session has a wait bound, a parameter. */
        String condition() {
            return "@@" + LOCK_WAIT + " = ?";
        }
    }

    /**
     * Notes a session's settings in user variables and sets others, in one round trip; closing puts them back in one. Where
     * the server keeps them the values need not be known here, and a change by the work in between is undone too.
     */
    static final class Changed {
        private final Connection connection;
        private final String restore;

        private Changed(Connection connection, String restore) {
            this.connection = connection;
            this.restore = restore;
        }

        /** For an owned transaction: both settings. */
        static Changed both(Connection connection, Server server, SessionSettings wanted) throws SQLException {
            String isolation = "@@session." + server.isolationVariable();
            run(
                    connection,
                    "SET @dedup_store_level = " + isolation + ", " + isolation + " = '" + wanted.isolation() + "', "
                            + noteAndSet("@dedup_store_wait", wanted.lockWait()));
            return new Changed(
                    connection,
                    "SET " + isolation + " = @dedup_store_level, @dedup_store_level = NULL, "
                            + putBack("@dedup_store_wait"));
        }

        /** For a joined claim, which may be made inside an owned transaction: the wait bound, noted elsewhere. */
        static Changed lockWait(Connection connection, long seconds) throws SQLException {
            run(connection, "SET " + noteAndSet("@dedup_store_joined_wait", seconds));
            return new Changed(connection, "SET " + putBack("@dedup_store_joined_wait"));
        }

        private static String noteAndSet(String variable, long seconds) {
            return variable + " = @@session." + LOCK_WAIT + ", @@session." + LOCK_WAIT + " = " + seconds;
        }

        private static String putBack(String variable) {
            return "@@session." + LOCK_WAIT + " = " + variable + ", " + variable + " = NULL";
        }

        void restore() throws SQLException {
            run(connection, restore);
        }

        private static void run(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
