package io.dedupstore.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The settings of a session, in its current transaction, that a claim changes for its own statements, and its isolation
 * level, as the server writes them.
 *
 * @param text all three, with blanks between
 * @param lockTimeout such as {@code 0} or {@code 5s}
 * @param statementTimeout such as {@code 0} or {@code 1min}
 * @param isolation such as {@code read committed}
 */
record SessionSettings(String text, String lockTimeout, String statementTimeout, String isolation) {
    /** The expression whose value is {@link #text}; one column, for each costs time on both sides. */
    static final String TEXT = "current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')"
            + " || ' ' || current_setting('transaction_isolation')";

    static SessionSettings of(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + TEXT);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return parse(row.getString(1));
        }
    }

    static SessionSettings parse(String text) {
        int first = text.indexOf(' ');
        int second = text.indexOf(' ', first + 1);
        return new SessionSettings(
                text, text.substring(0, first), text.substring(first + 1, second), text.substring(second + 1));
    }

    SessionSettings withIsolation(String level) {
        return parse(lockTimeout + ' ' + statementTimeout + ' ' + level);
    }

    boolean sameTimeouts(SessionSettings other) {
        return lockTimeout.equals(other.lockTimeout) && statementTimeout.equals(other.statementTimeout);
    }

    /** The statement timeout to use with a bound: the session's own if that is tighter, as a text for the server. */
    String statementTimeoutWithin(Duration bound) {
        long own = millis(statementTimeout);
        return own == 0 || own > bound.toMillis() ? Long.toString(bound.toMillis()) : statementTimeout;
    }

    /** A time as the server writes it: a number, with a unit unless it is 0. */
    static long millis(String time) {
        int digits = 0;
        while (digits < time.length() && Character.isDigit(time.charAt(digits))) {
            digits++;
        }
        long number = digits == 0 ? 0 : Long.parseLong(time.substring(0, digits));
        return number
                * switch (time.substring(digits)) {
                    case "s" -> 1_000L;
                    case "min" -> 60_000L;
                    case "h" -> 3_600_000L;
                    case "d" -> 86_400_000L;
                    default -> 1L;
                };
    }
}
