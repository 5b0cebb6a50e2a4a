package io.dedupstore.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs on every database, and the report has its figures. */
class SmokeTest {
    @Test
    @Timeout(600)
    void everyBenchmarkRunsOnEveryDatabaseAndIsReported(@TempDir Path folder) throws Exception {
        Path page = Main.run(Arguments.parse("smoke", "--out", folder.toString()), "smoke");

        JsonNode results =
                new ObjectMapper().readTree(folder.resolve("results.json").toFile());
        Set<String> measured = new TreeSet<>();
        for (JsonNode result : results) {
            measured.add(result.get("benchmark").asText() + " "
                    + result.get("params").get("database").asText());
            assertThat(result.get("primaryMetric").get("score").asDouble()).isPositive();
            assertThat(result.get("secondaryMetrics").has(Extras.CPU)).isTrue();
        }
        Set<String> expected = compiled().stream()
                .flatMap(name -> Stream.of(Database.values()).map(database -> name + " " + database))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(measured).isEqualTo(expected);

        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("FreshClaim.owned EVENTUATE")
                .contains("| MYSQL: beside a held key, to beside others |")
                .contains("- POSTGRES, round trips: {BARE=fresh 2", "DEDUP_STORE=fresh 3, duplicate 2, redelivered 1")
                .contains("innodb_flush_log_at_trx_commit=1", "fsync=on", "synchronous=2");
        assertThat(Files.readString(page))
                .contains("Chart.js v4")
                .contains("\"benchmark\" : \"io.dedupstore.benchmarks.FreshClaim.owned\"")
                .doesNotContain("/*charts*/", "/*script*/", "/*head*/", "/*targets*/", "/*results*/");
    }

    /** As JMH's processor lists them. */
    private static Set<String> compiled() {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        return BenchmarkList.defaultList().getAll(silent, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .collect(Collectors.toSet());
    }
}
