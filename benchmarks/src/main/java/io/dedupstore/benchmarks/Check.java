package io.dedupstore.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Holds the {@link Planner}'s prediction against a measured mix, with as many threads. */
final class Check {
    /** The share of redeliveries that {@link MixedLoad} has. */
    private static final double SHARE = 0.2;

    private Check() {}

    /** One line for each number of threads that was measured. */
    static List<String> lines(Measured measured) {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<Integer, Double> mixed :
                measured.micros("MixedLoad.deliveries").entrySet()) {
            int threads = mixed.getKey();
            Optional.ofNullable(measured.micros("FreshClaim.owned").get(threads))
                    .ifPresent(fresh -> Optional.ofNullable(measured.micros("DuplicateClaim.redelivered")
                                    .get(threads))
                            .ifPresent(duplicate -> {
                                double predicted =
                                        Planner.together(threads * 1e6 / fresh, threads * 1e6 / duplicate, SHARE);
                                double real = Planner.perSecond(mixed);
                                lines.add(String.format(
                                        Locale.ROOT,
                                        "prediction held against a measured mix, %d threads, 20 %% redelivered:"
                                                + " predicted %,.0f/s, measured %,.0f/s, %+.0f %%",
                                        threads,
                                        predicted,
                                        real,
                                        100 * (predicted / real - 1)));
                            }));
        }
        return lines;
    }
}
