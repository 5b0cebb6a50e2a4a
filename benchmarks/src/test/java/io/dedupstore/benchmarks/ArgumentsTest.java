package io.dedupstore.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.benchmarks.Arguments.UsageException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {
    @Test
    void allIsMeasuredIfNothingIsLeftOut() throws UsageException {
        Arguments arguments = Arguments.parse("quick");
        assertThat(arguments.profile()).isEqualTo(Profile.QUICK);
        assertThat(arguments.databases()).containsExactly(Database.values());
        assertThat(arguments.urls()).isEmpty();
        assertThat(arguments.only().matcher("FreshClaim.owned").find()).isTrue();
        assertThat(arguments.out()).isEqualTo(Path.of("benchmark-report"));
    }

    @Test
    void optionsAreTaken() throws UsageException {
        Arguments arguments = Arguments.parse(
                "full", "--db", "mysql,sqlite", "--url", "jdbc:mysql://h/d", "--only", "Fresh", "--out", "there");
        assertThat(arguments.profile()).isEqualTo(Profile.FULL);
        assertThat(arguments.databases()).containsExactly(Database.SQLITE, Database.MYSQL);
        assertThat(arguments.urls()).containsOnlyKeys(Database.MYSQL).containsValue("jdbc:mysql://h/d");
        assertThat(arguments.only().matcher("DuplicateClaim.unmarked").find()).isFalse();
        assertThat(arguments.out()).isEqualTo(Path.of("there"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|There is no profile .",
                "fast|There is no profile fast.",
                "quick --db db2|There is no database db2.",
                "quick --url jdbc:db2:x|--url takes",
                "quick --url nonsense|--url takes",
                "quick --only (|--only: Unclosed group.",
                "quick --out|--out needs a value.",
                "quick --fast 1|There is no option --fast."
            })
    void mistakesAreNamed(String line, String message) {
        assertThatThrownBy(() -> Arguments.parse(line.split(" ", -1)))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aProfileIsNeeded() {
        assertThatThrownBy(Arguments::parse).isInstanceOf(UsageException.class).hasMessage("Which profile?");
    }
}
