package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process logs while an event is delivered in all ways ({@link Child}), at the logger's lowest level. */
@Timeout(120)
class SqliteLogTest {
    private static final String SECRET = "4929-secret";
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    @TempDir
    Path folder;

    private List<String> log;

    @BeforeEach
    void deliver() throws SQLException, IOException, InterruptedException {
        Ledger ledger = Ledger.create(folder.resolve("log.db"));
        Path errors = folder.resolve("errors.txt");
        List<String> levels =
                List.of("-D" + PREFIX + "defaultLogLevel=info", "-D" + PREFIX + "log.io.dedupstore=trace");
        String file = ledger.file().toString();
        try (ChildJvm child = ChildJvm.start(Redirect.to(errors.toFile()), levels, "deliver", file, SECRET)) {
            child.awaitEnd();
        }
        log = Files.readAllLines(errors);
        assertThat(ledger.credits()).isEqualTo(1);
    }

    private List<String> between(String from, String to) {
        return log.subList(log.indexOf("--- " + from) + 1, to.isEmpty() ? log.size() : log.indexOf("--- " + to));
    }

    @Test
    void e7_duplicatesMakeNoLineAboveDebug() {
        assertThat(between("duplicates", "conflicts"))
                .isNotEmpty()
                .allMatch(line -> line.contains("DEBUG io.dedupstore"));
    }

    @Test
    void e6_conflictsAndFailuresAreLoggedWithoutPayloadsAndServersTexts() {
        assertThat(between("conflicts", "failures"))
                .filteredOn(line -> line.contains("WARN"))
                .hasSize(2)
                .allMatch(line -> line.contains("QUARANTINE") && line.contains("default/ledger/logged"));
        assertThat(between("failures", ""))
                .filteredOn(line -> line.contains("WARN"))
                .hasSize(5)
                .allMatch(line -> line.contains("RETRY") && line.contains("default/ledger/failing"));
        assertThat(log)
                .noneMatch(line -> line.contains(SECRET))
                .noneMatch(line -> line.contains("account"))
                .noneMatch(line -> line.contains("UNIQUE") || line.contains("INSERT"));
    }
}
