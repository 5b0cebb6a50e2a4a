package io.dedupstore.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** This library's figures on one database, from a report's {@code results.json}. */
final class Measured {
    private final JsonNode results;
    private final Database database;

    Measured(Path file, Database database) throws IOException {
        this.results = new ObjectMapper().readTree(file.toFile());
        this.database = database;
    }

    private Iterable<JsonNode> runs(String benchmark) {
        return () -> results.valueStream()
                .filter(run -> run.path("benchmark").asText().endsWith("." + benchmark))
                .filter(run -> run.path("params").path("database").asText().equals(database.name()))
                .filter(run -> {
                    String contender = run.path("params").path("contender").asText();
                    return contender.isEmpty() || contender.equals(Contender.DEDUP_STORE.name());
                })
                .iterator();
    }

    /** Microseconds of one operation, by the number of threads. */
    NavigableMap<Integer, Double> micros(String benchmark) {
        NavigableMap<Integer, Double> found = new TreeMap<>();
        runs(benchmark)
                .forEach(run -> found.put(
                        run.path("threads").asInt(),
                        run.path("primaryMetric").path("score").asDouble()));
        return found;
    }

    /** A percentile of a sampled benchmark, in microseconds. */
    Optional<Double> percentile(String benchmark, String percentile) {
        for (JsonNode run : runs(benchmark)) {
            return Optional.of(run.path("primaryMetric")
                    .path("scorePercentiles")
                    .path(percentile)
                    .asDouble());
        }
        return Optional.empty();
    }

    /** What stands beside a figure, of the run with the largest value of a parameter. */
    Optional<Double> extra(String benchmark, String param, String name) {
        double largest = -1;
        Optional<Double> found = Optional.empty();
        for (JsonNode run : runs(benchmark)) {
            double value = run.path("params").path(param).asDouble();
            JsonNode extra = run.path("secondaryMetrics").path(name).path("score");
            if (value > largest && extra.isNumber()) {
                largest = value;
                found = Optional.of(extra.asDouble());
            }
        }
        return found;
    }
}
