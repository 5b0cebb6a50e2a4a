package io.dedupstore.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.benchmarks.Arguments.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlannerTest {
    @TempDir
    private Path folder;

    private Path results;

    @BeforeEach
    void write() throws IOException {
        results = folder.resolve("results.json");
        Files.writeString(results, """
                [%s, %s, %s, %s, %s, %s, %s, %s]""".formatted(
                        run("FreshClaim.owned", 1, "DEDUP_STORE", 1000),
                        run("FreshClaim.owned", 8, "DEDUP_STORE", 4000),
                        run("FreshClaim.owned", 8, "BARE", 1),
                        run("DuplicateClaim.redelivered", 1, "DEDUP_STORE", 100),
                        run("DuplicateClaim.redelivered", 8, "DEDUP_STORE", 400),
                        run("MixedLoad.deliveries", 8, "DEDUP_STORE", 3000),
                        """
                        {"benchmark": "p.Growth.fresh", "threads": 1,
                         "params": {"database": "POSTGRES", "stored": "1000000"},
                         "primaryMetric": {"score": 1}, "secondaryMetrics": {"bytes": {"score": 250.0}}}""",
                        """
                        {"benchmark": "p.LockWait.holderCommits", "threads": 1, "params": {"database": "POSTGRES"},
                         "primaryMetric": {"score": 1, "scorePercentiles": {"99.0": 2000.0}}}"""));
    }

    private static String run(String benchmark, int threads, String contender, double score) {
        return """
                {"benchmark": "p.%s", "threads": %d, "params": {"database": "POSTGRES", "contender": "%s"},
                 "primaryMetric": {"score": %s}}""".formatted(benchmark, threads, contender, score);
    }

    private List<String> plan(String options) throws UsageException {
        return PlanArguments.parse(("plan " + results + " " + options).split(" ", -1))
                .plan();
    }

    @Test
    void everyFigureFollowsFromTheMeasuredOnesAndTheTeams() throws UsageException {
        List<String> lines = plan("--db postgres --peak 700 --average 100 --redelivered 0.5 --hold-ms 9"
                + " --retention-days 10 --instances 3");
        assertThat(lines.get(0)).startsWith("rows                 43,200,000 = "); // 100 x 0.5 x 864,000
        assertThat(lines.get(1)).startsWith("disk                 10,800 MB = "); // x 250 bytes
        assertThat(lines.get(2)).startsWith("purge                50.0 rows/s");
        // 700 x (0.5 x 10 ms + 0.5 x 0.1 ms) = 3.535 busy at a time, / 0.7
        assertThat(lines.get(3)).startsWith("connections          6, 2 for each of 3 instances = ");
        // 8 threads: 2,000 fresh/s, 20,000 duplicates/s
        assertThat(lines.get(4)).startsWith("one database takes   3,636 deliveries/s = ");
        assertThat(lines.get(5)).startsWith("one is enough        yes: the peak is 19 %");
        assertThat(lines.get(6)).startsWith("lock wait p99        12.0 ms");
        // 1 / (0.8 / 2000 + 0.2 / 20000) = 2,439, measured 8 / 3 ms = 2,667
        assertThat(lines.get(7)).endsWith("predicted 2,439/s, measured 2,667/s, -9 %");
        assertThat(lines).hasSize(8);
    }

    @Test
    void aPeakBeyondOneDatabaseIsToldSo() throws UsageException {
        assertThat(plan("--db postgres --peak 1500 --average 10 --redelivered 0"))
                .anyMatch(line -> line.startsWith("one is enough        no: the peak is 75 %"));
    }

    @Test
    void aDatabaseThatWasNotMeasuredIsToldSo() {
        assertThatThrownBy(() -> plan("--db mysql --peak 1 --average 1"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("The results lack FreshClaim.owned");
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> plan("--db postgres --average 1")).hasMessage("--peak needs a number, not negative.");
        assertThatThrownBy(() -> plan("--db postgres --peak x --average 1"))
                .hasMessage("--peak needs a number, not negative.");
        assertThatThrownBy(() -> plan("--db postgres --peak 1 --average 1 --redelivered 2"))
                .hasMessageContaining("--redelivered from 0 to 1");
        assertThatThrownBy(() -> plan("--db postgres --peak 1 --average 1 --speed 2"))
                .hasMessage("There is no option --speed.");
        assertThatThrownBy(() -> plan("--db postgres --peak")).hasMessage("--peak needs a value.");
        assertThatThrownBy(() -> PlanArguments.parse("plan")).hasMessage("plan needs the results.json of a run.");
        assertThatThrownBy(() -> PlanArguments.parse(
                                "plan", "nowhere.json", "--db", "mysql", "--peak", "1", "--average", "1")
                        .plan())
                .hasMessageStartingWith("The results cannot be read");
    }
}
