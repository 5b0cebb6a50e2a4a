package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of vendor codes. */
class OracleErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "1, CONSTRAINT",
        "1400, CONSTRAINT",
        "1407, CONSTRAINT",
        "2290, CONSTRAINT",
        "2291, CONSTRAINT",
        "2292, CONSTRAINT",
        "2091, CONSTRAINT",
        "60, DEADLOCK",
        "4020, DEADLOCK",
        "2049, DEADLOCK",
        "63300, DEADLOCK",
        "63302, DEADLOCK",
        "8177, SERIALIZATION",
        "1555, SERIALIZATION",
        "2092, SERIALIZATION",
        "4068, SERIALIZATION",
        "54, LOCK_TIMEOUT",
        "30006, LOCK_TIMEOUT",
        "1591, BUSY",
        "4021, BUSY",
        "1013, TIMEOUT",
        "16000, READ_ONLY",
        "1653, RESOURCES",
        "1536, RESOURCES",
        "30036, RESOURCES",
        "4031, RESOURCES",
        "942, CONFIGURATION",
        "904, CONFIGURATION",
        "1031, CONFIGURATION",
        "955, CONFIGURATION",
        "6550, CONFIGURATION",
        "12899, CONFIGURATION",
        "1456, CONFIGURATION",
        "1017, CONFIGURATION",
        "18, CONNECTION",
        "28, CONNECTION",
        "603, CONNECTION",
        "1012, CONNECTION",
        "1033, CONNECTION",
        "1089, CONNECTION",
        "3113, CONNECTION",
        "3114, CONNECTION",
        "3135, CONNECTION",
        "12170, CONNECTION",
        "12514, CONNECTION",
        "12537, CONNECTION",
        "12541, CONNECTION",
        "12571, CONNECTION",
        "17002, CONNECTION",
        "17008, CONNECTION",
        "17410, CONNECTION",
        "17401, CONNECTION",
        "17800, CONNECTION",
        "17904, CONNECTION",
        "17023, OTHER",
        "17273, OTHER",
        "18714, CONNECTION",
        "25402, CONNECTION",
        "25408, CONNECTION",
        "604, OTHER",
        "900, OTHER",
        "1722, OTHER",
        "20001, OTHER"
    })
    void e1_codes(int code, FailureKind kind) {
        assertThat(OracleErrors.kind(new SQLException("any language", null, code)))
                .isEqualTo(kind);
        assertThat(OracleErrors.kind(EmulatedFailure.of(code)))
                .as("as the driver wraps it")
                .isEqualTo(kind);
    }

    @Test
    void e1_classAndStateAreNotAsked() {
        assertThat(OracleErrors.kind(new SQLSyntaxErrorException("distributed lock", "42000", 2049)))
                .isEqualTo(FailureKind.DEADLOCK);
        assertThat(OracleErrors.kind(new SQLException("lost contact", "63000", 3135)))
                .isEqualTo(FailureKind.CONNECTION);
        assertThat(OracleErrors.kind(new SQLIntegrityConstraintViolationException("of no code", "23000")))
                .isEqualTo(FailureKind.OTHER);
    }

    @Test
    void poolsExceptionsHaveNoCode() {
        assertThat(OracleErrors.kind(new SQLTransientConnectionException("timed out")))
                .isEqualTo(FailureKind.CONNECTION);
        assertThat(OracleErrors.kind(new SQLException("closed", "08003"))).isEqualTo(FailureKind.CONNECTION);
        assertThat(OracleErrors.kind(new SQLException("a rule of the application")))
                .isEqualTo(FailureKind.OTHER);
    }
}
