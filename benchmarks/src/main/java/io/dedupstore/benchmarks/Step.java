package io.dedupstore.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * Benchmarks that are run with the same parameters.
 *
 * @param include the benchmark class and method, or a class alone
 * @param threads that call at once, one run for each number; 0: as the benchmark says
 * @param contenders who takes part; empty if the benchmark knows only this library
 * @param params other parameters
 */
record Step(String include, List<Integer> threads, List<Contender> contenders, Map<String, List<String>> params) {
    static Step of(Class<?> benchmark, String method, List<Integer> threads, Contender... contenders) {
        return new Step(benchmark.getName() + "." + method, threads, List.of(contenders), Map.of());
    }

    Step with(String param, String... values) {
        return new Step(include, threads, contenders, Map.of(param, List.of(values)));
    }

    /** As JMH wants it. */
    String regex() {
        return "^" + include.replace(".", "\\.") + (include.endsWith(".") ? "" : "$");
    }

    List<Contender> contendersOn(Database database, int number) {
        return contenders.stream()
                .filter(known -> known.supports(database, number))
                .toList();
    }
}
