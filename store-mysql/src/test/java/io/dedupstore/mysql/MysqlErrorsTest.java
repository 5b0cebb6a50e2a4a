package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of numbers; what servers really send is {@link BrokenWorkTest}'s and {@link WaitingTest}'s. */
class MysqlErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "1213, 40001, DEADLOCK",
        "1205, 40001, LOCK_TIMEOUT",
        "1205, HY000, LOCK_TIMEOUT",
        "3572, HY000, LOCK_TIMEOUT",
        "1020, HY000, SERIALIZATION",
        "3101, 40000, SERIALIZATION",
        "1290, HY000, READ_ONLY",
        "1836, HY000, READ_ONLY",
        "1036, HY000, READ_ONLY",
        "1317, 70100, TIMEOUT",
        "1969, 70100, TIMEOUT",
        "3024, HY000, TIMEOUT",
        "1927, 70100, CONNECTION",
        "1053, 08S01, CONNECTION",
        "1040, 08004, CONNECTION",
        "1203, 42000, CONNECTION",
        "4031, HY000, CONNECTION",
        "0, 08S01, CONNECTION",
        "-1, 08000, CONNECTION",
        "0, 08003, CONNECTION",
        "1114, HY000, RESOURCES",
        "1021, HY000, RESOURCES",
        "1062, 23000, CONSTRAINT",
        "1048, 23000, CONSTRAINT",
        "1452, 23000, CONSTRAINT",
        "3819, HY000, CONSTRAINT",
        "4025, 23000, CONSTRAINT",
        "1146, 42S02, CONFIGURATION",
        "1142, 42000, CONFIGURATION",
        "1045, 28000, CONFIGURATION",
        "1046, 3D000, CONFIGURATION",
        "1665, HY000, CONFIGURATION",
        "1792, 25006, CONFIGURATION",
        "1406, 22001, OTHER",
        "1105, HY000, OTHER",
        "0, S1000, OTHER",
        "0, x, OTHER"
    })
    void e1_numbers(int number, String state, FailureKind kind) {
        assertThat(MysqlErrors.kind(new SQLException("any language", state, number)))
                .isEqualTo(kind);
    }

    @Test
    void exceptionsWithoutNumberAndStateAreOfDriversPoolsOrTheApplication() {
        assertThat(MysqlErrors.kind(new SQLTransientConnectionException("timed out")))
                .isEqualTo(FailureKind.CONNECTION);
        assertThat(MysqlErrors.kind(new SQLTimeoutException("cancelled"))).isEqualTo(FailureKind.TIMEOUT);
        assertThat(MysqlErrors.kind(new SQLException("a rule of the application")))
                .isEqualTo(FailureKind.OTHER);
    }
}
