package io.dedupstore.examples.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Strikes one planned fault after another, each when its delivery has gone out. */
final class Injector {
    private final Source source;
    private final Schedule schedule;
    private final List<Fault> faults;
    private final Counts counts;
    private final Random random;
    private final Thread thread = new Thread(this::run, "drill-faults");
    private volatile @Nullable Exception failure;

    Injector(Source source, Schedule schedule, List<Fault> faults, Counts counts, long seed) {
        this.source = source;
        this.schedule = schedule;
        this.faults = faults;
        this.counts = counts;
        this.random = new Random(seed + 3);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            for (Schedule.Planned next : schedule.planned()) {
                if (!source.awaitDelivery(next.atDelivery())) {
                    return;
                }
                Fault fault = faults.get(next.fault());
                counts.struck(fault.kind(), fault.strike(random));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            failure = e;
        } finally {
            source.noMoreFaults();
        }
    }

    /** Ends; what is broken is mended first. */
    List<String> end() throws InterruptedException {
        thread.join();
        Exception e = failure;
        List<String> wrong = new ArrayList<>();
        if (e != null) {
            wrong.add("The faults broke off: " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        return wrong;
    }
}
