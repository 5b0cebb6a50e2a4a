package io.dedupstore.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import org.junit.jupiter.api.Test;

class RedactedTest {
    private static final String SECRET = "Key (card)=(4929-secret) already exists";

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void e6_stateAndCodeStayAndTheServersTextGoes() {
        SQLException failure = new SQLIntegrityConstraintViolationException(SECRET, "23505", 1062);
        Throwable copy = Redacted.copy(failure);
        assertThat(copy).isInstanceOfSatisfying(SQLException.class, sql -> {
            assertThat(sql.getSQLState()).isEqualTo("23505");
            assertThat(sql.getErrorCode()).isEqualTo(1062);
        });
        assertThat(copy).hasMessageContaining("SQLIntegrityConstraintViolationException");
        assertThat(copy.getStackTrace()).isEqualTo(failure.getStackTrace());
        assertThat(printed(copy)).doesNotContain("4929");
        assertThat(Redacted.describe(failure))
                .isEqualTo("SQLIntegrityConstraintViolationException, SQLState 23505, code 1062");
    }

    @Test
    void e6_causesNextExceptionsAndSuppressedOnesAreNotCopied() {
        SQLException failure = new SQLException(SECRET, "40001", 1213, new IllegalStateException(SECRET));
        failure.setNextException(new SQLException(SECRET));
        failure.addSuppressed(new SQLException(SECRET));
        Throwable copy = Redacted.copy(failure);
        assertThat(printed(copy)).doesNotContain("4929");
        assertThat(copy.getCause()).isNull();
        assertThat(copy)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        sql -> assertThat(sql.getNextException() == null).isTrue());
        assertThat(copy.getSuppressed()).isEmpty();
    }

    @Test
    void e6_theSqlExceptionInsideAWrapperIsTheOneThatIsTold() {
        Throwable wrapped =
                new IllegalStateException(SECRET, new RuntimeException(SECRET, new SQLException(SECRET, "08006", 7)));
        assertThat(Redacted.describe(wrapped)).isEqualTo("SQLException, SQLState 08006, code 7");
        assertThat(printed(Redacted.copy(wrapped))).doesNotContain("4929");
    }

    @Test
    void e6_aWrapperWithoutStateOrCodeGivesWayToItsCause() {
        SQLException batch =
                new BatchUpdateException(SECRET, null, 0, new int[0], new SQLException(SECRET, "23505", 19));
        assertThat(Redacted.describe(batch)).isEqualTo("SQLException, SQLState 23505, code 19");
        assertThat(Redacted.describe(new SQLException(SECRET))).isEqualTo("SQLException, SQLState null, code 0");
    }

    @Test
    void e6_anExceptionWithoutSqlIsNamedOnly() {
        Throwable failure = new IllegalStateException(SECRET);
        assertThat(Redacted.describe(failure)).isEqualTo("java.lang.IllegalStateException");
        assertThat(printed(Redacted.copy(failure))).doesNotContain("4929").contains("java.lang.IllegalStateException");
    }

    @Test
    void aCycleOfCausesEnds() {
        Exception first = new IllegalStateException(SECRET);
        first.initCause(new RuntimeException(SECRET, first));
        assertThat(Redacted.describe(first)).isEqualTo("java.lang.IllegalStateException");
        assertThat(Redacted.copy(first)).isInstanceOf(SQLException.class);
    }
}
