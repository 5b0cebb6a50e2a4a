package io.dedupstore.servers.rules;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Runs variants of one transaction side by side, and prints their medians and their ratios to the first. On one thread; to
 * be pinned to one core together with the server, which inherits it, and compiled early:
 * {@code taskset -c 1 java -XX:CompileThresholdScaling=0.1 …}.
 */
public final class SpeedRun {
    /** With compile thresholds of a tenth the compiler is done with the engine after so many rounds. */
    private static final int WARM_UP = 2_500;

    private static final class Measured {
        final String name;
        final Variant variant;
        final long[] nanos;

        Measured(String name, Variant variant, int rounds) {
            this.name = name;
            this.variant = variant;
            this.nanos = new long[rounds];
        }
    }

    private final List<Measured> variants = new ArrayList<>();
    private final int rounds;

    /** One transaction. */
    @FunctionalInterface
    public interface Variant {
        /**
         * Runs it.
         *
         * @throws Exception if it fails, which ends the measuring
         */
        void run() throws Exception;
    }

    /**
     * A run without variants.
     *
     * @param rounds how often each variant is measured, after a warm-up
     */
    public SpeedRun(int rounds) {
        this.rounds = rounds;
    }

    /**
     * Adds a variant; the others are compared with the first.
     *
     * @param name its name
     * @param variant what to measure
     */
    public void add(String name, Variant variant) {
        variants.add(new Measured(name, variant, rounds));
    }

    /**
     * Measures.
     *
     * @param out where to print
     * @throws Exception what a variant threw
     */
    public void print(PrintStream out) throws Exception {
        measure();
        double first = 0;
        for (Measured measured : variants) {
            Arrays.sort(measured.nanos);
            double median = measured.nanos[rounds / 2] / 1000.0;
            first = first == 0 ? median : first;
            out.printf("%-40s %8.1f us  %.3f%n", measured.name, median, median / first);
        }
    }

    private void measure() throws Exception {
        List<Measured> order = new ArrayList<>(variants);
        for (int round = -WARM_UP; round < rounds; round++) {
            Collections.shuffle(order); // a variant is slower after some others than after itself
            for (Measured measured : order) {
                long start = System.nanoTime();
                measured.variant.run();
                if (round >= 0) {
                    measured.nanos[round] = System.nanoTime() - start;
                }
            }
        }
    }
}
