package io.dedupstore.benchmarks;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A thread: it has an account of its own, and events of its own. */
@State(Scope.Thread)
public class Worker {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String account = "a" + COUNT.getAndIncrement() % Database.ACCOUNTS;
    private final String prefix = UUID.randomUUID() + "-";
    private long events;

    String account() {
        return account;
    }

    /** The id of an event that nobody has seen. */
    String newEvent() {
        return prefix + events++;
    }
}
