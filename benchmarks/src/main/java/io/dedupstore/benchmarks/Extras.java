package io.dedupstore.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** Beside the time: the client's CPU time for each operation, all its threads together, and what the {@link Tally} holds. */
public final class Extras implements InternalProfiler {
    static final String CPU = "cpu";
    static final String ERRORS = "errors";
    static final String RETRIES = "retries";
    static final String SLOWEST = "slowest";
    static final String BYTES = "bytes";

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long cpuBefore;

    @Override
    public String getDescription() {
        return "The client's CPU time, errors that reach callers, retries, and the slowest thread's share";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        Tally.reset();
        cpuBefore = system.getProcessCpuTime();
    }

    @Override
    @SuppressWarnings("rawtypes") // JMH's signature
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long operations = result.getMetadata().getMeasuredOps();
        if (operations == 0) {
            return List.of();
        }
        List<Result<?>> found = new ArrayList<>();
        double cpu = (system.getProcessCpuTime() - cpuBefore) / 1000.0;
        found.add(new ScalarResult(CPU, cpu / operations, "us/op", AggregationPolicy.AVG));
        if (Tally.isUsed()) {
            double errors = 1000.0 * Tally.errors() / operations;
            found.add(new ScalarResult(ERRORS, errors, "per 1000", AggregationPolicy.AVG));
            double retries = 1000.0 * Tally.retries() / operations;
            found.add(new ScalarResult(RETRIES, retries, "per 1000", AggregationPolicy.AVG));
            found.add(new ScalarResult(SLOWEST, Tally.slowestShare(), "of mean", AggregationPolicy.MIN));
        }
        if (Tally.bytes() > 0) {
            found.add(new ScalarResult(BYTES, Tally.bytes(), "B/claim", AggregationPolicy.AVG));
        }
        return found;
    }
}
