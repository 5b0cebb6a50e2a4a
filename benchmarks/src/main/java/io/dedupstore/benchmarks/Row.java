package io.dedupstore.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One measured figure with what stands beside it.
 *
 * @param benchmark class and method without the package, and its parameters
 * @param database where
 * @param contender who; this library if the benchmark knows no other
 * @param threads at once
 * @param score the mean
 * @param error half of the 99.9 % confidence interval; not a number with less than three iterations
 * @param unit of both
 * @param beside what else was measured, by its name
 */
record Row(
        String benchmark,
        Database database,
        Contender contender,
        int threads,
        double score,
        double error,
        String unit,
        Map<String, Double> beside) {
    private static final List<String> PARAMS = List.of("ids", "hold", "stored");

    static Row of(RunResult run) {
        BenchmarkParams params = run.getParams();
        String name = params.getBenchmark().replaceAll("^.*\\.(\\w+\\.\\w+)$", "$1");
        for (String param : PARAMS) {
            String value = params.getParam(param);
            name += value == null ? "" : " " + param + " " + value;
        }
        Result<?> primary = run.getPrimaryResult();
        @Nullable String contender = params.getParam("contender");
        return new Row(
                name,
                Database.valueOf(params.getParam("database")),
                contender == null ? Contender.DEDUP_STORE : Contender.valueOf(contender),
                params.getThreads(),
                primary.getScore(),
                primary.getScoreError(),
                primary.getScoreUnit(),
                beside(run));
    }

    private static Map<String, Double> beside(RunResult run) {
        Map<String, Double> scores = new TreeMap<>();
        for (String name : run.getSecondaryResults().keySet()) {
            Result<?> result = run.getSecondaryResults().get(name);
            scores.put(name, result.getScore());
        }
        return scores;
    }

    /** Bytes for each operation. */
    double allocated() {
        return beside.getOrDefault("gc.alloc.rate.norm", Double.NaN);
    }

    /** Microseconds of the client's for each operation. */
    double cpu() {
        return beside.getOrDefault(Extras.CPU, Double.NaN);
    }
}
