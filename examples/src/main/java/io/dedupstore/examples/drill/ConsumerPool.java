package io.dedupstore.examples.drill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The consumer processes: one that is gone is replaced by a new one. Safe for any number of threads. */
final class ConsumerPool implements AutoCloseable {
    /** Processes that may end by themselves, beyond one for each fault: should none be able to start, the drill ends. */
    private static final int SPARE = 10;

    private final Source source;
    private final Start start;
    private final Random random;
    private final int most;
    private final List<ConsumerJvm> consumers = new ArrayList<>();
    private boolean closed;
    private int started;

    ConsumerPool(Source source, Start start, DrillOptions options) throws IOException {
        this.source = source;
        this.start = start;
        this.random = new Random(options.seed() + 2);
        this.most = options.consumers() + options.faults() + SPARE;
        for (int i = 0; i < options.consumers(); i++) {
            add(i);
        }
    }

    private synchronized void add(int place) throws IOException {
        if (closed || started == most) {
            return;
        }
        ConsumerJvm fresh = ConsumerJvm.start(source, start, () -> replace(place));
        started++;
        if (place < consumers.size()) {
            consumers.set(place, fresh);
        } else {
            consumers.add(fresh);
        }
    }

    private void replace(int place) {
        try {
            add(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized int killOne() {
        consumers.get(random.nextInt(consumers.size())).kill();
        return 1;
    }

    synchronized int started() {
        return started;
    }

    @Override
    public void close() {
        List<ConsumerJvm> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(consumers);
        }
        all.forEach(ConsumerJvm::end);
        all.forEach(ConsumerJvm::awaitExit);
    }
}
