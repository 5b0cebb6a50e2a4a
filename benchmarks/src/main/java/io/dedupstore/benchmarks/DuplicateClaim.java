package io.dedupstore.benchmarks;

import io.dedupstore.PayloadConflictException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** An event that was applied before comes again: as the broker's redelivery, without that mark, or with other content. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DuplicateClaim {
    private static final String OTHER = "other";

    @Benchmark
    public void unmarked(Fixture fixture, Known known) throws Exception {
        fixture.consume(known.event, known.worker, false, false);
    }

    @Benchmark
    public void redelivered(Fixture fixture, Known known) throws Exception {
        fixture.consume(known.event, known.worker, true, false);
    }

    /** Only those who can tell a conflict. */
    @Benchmark
    public void conflicting(Fixture fixture, Known known) throws Exception {
        try {
            fixture.consumer()
                    .consume(new Delivery(known.event, OTHER, false, known.worker.account()), Consumer.Hold.NONE);
        } catch (PayloadConflictException | HandWritten.Conflict conflict) {
            return;
        }
        throw new IllegalStateException("The conflict was not seen");
    }

    /** An event of this thread that was applied before. */
    @State(Scope.Thread)
    public static class Known {
        private Worker worker;
        private String event;

        Worker worker() {
            return worker;
        }

        String event() {
            return event;
        }

        @Setup(Level.Trial)
        public void apply(Fixture fixture, Worker thread) throws Exception {
            worker = thread;
            event = thread.newEvent();
            fixture.consume(event, thread, false, true);
        }
    }
}
