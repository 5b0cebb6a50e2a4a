package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of states; what servers really send is {@link FailureTest}'s and {@link ReplicationTest}'s. */
class PostgresErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "40001, SERIALIZATION",
        "40003, CONNECTION",
        "40002, CONSTRAINT",
        "40P01, DEADLOCK",
        "55P03, LOCK_TIMEOUT",
        "57014, TIMEOUT",
        "57P01, CONNECTION",
        "57P02, CONNECTION",
        "57P03, CONNECTION",
        "57P05, CONNECTION",
        "25P03, CONNECTION",
        "25P04, CONNECTION",
        "53300, CONNECTION",
        "08006, CONNECTION",
        "08001, CONNECTION",
        "08P01, CONNECTION",
        "26000, CONNECTION",
        "25006, READ_ONLY",
        "53100, RESOURCES",
        "53200, RESOURCES",
        "58030, RESOURCES",
        "23505, CONSTRAINT",
        "23503, CONSTRAINT",
        "23P01, CONSTRAINT",
        "42P01, CONFIGURATION",
        "42501, CONFIGURATION",
        "42703, CONFIGURATION",
        "42P10, CONFIGURATION",
        "3D000, CONFIGURATION",
        "28P01, CONFIGURATION",
        "0A000, CONFIGURATION",
        "25P02, OTHER",
        "54000, OTHER",
        "22021, OTHER",
        "22012, OTHER",
        "S1000, OTHER",
        "x, OTHER"
    })
    void e1_states(String state, FailureKind kind) {
        assertThat(PostgresErrors.kind(new SQLException("any language", state))).isEqualTo(kind);
    }

    @Test
    void statelessExceptionsAreOfPoolsOrOfTheApplication() {
        assertThat(PostgresErrors.kind(new SQLTransientConnectionException("timed out")))
                .isEqualTo(FailureKind.CONNECTION);
        assertThat(PostgresErrors.kind(new SQLException("a rule of the application")))
                .isEqualTo(FailureKind.OTHER);
    }
}
