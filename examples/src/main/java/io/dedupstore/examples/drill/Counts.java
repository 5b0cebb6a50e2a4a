package io.dedupstore.examples.drill;

import java.util.Map;
import java.util.TreeMap;

/** What happened how often. Safe for any number of threads. */
final class Counts {
    private final Map<String, Integer> faults = new TreeMap<>();
    private final Map<String, Integer> missed = new TreeMap<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final Map<String, Integer> retries = new TreeMap<>();
    private int deliveries;
    private int redeliveries;
    private int expired;

    synchronized void handed(Handed delivery) {
        deliveries++;
        redeliveries += delivery.redelivered() ? 1 : 0;
        Trouble trouble = delivery.trouble();
        if (trouble != Trouble.NONE && trouble != Trouble.LOCKS_DOWN) {
            faults.merge(trouble.shown(), 1, Integer::sum);
        }
    }

    synchronized void struck(String kind, int times) {
        (times == 0 ? missed : faults).merge(kind, 1, Integer::sum);
    }

    synchronized void expired() {
        expired++;
    }

    synchronized void answered(Reply reply) {
        outcomes.merge(reply.disposition() + " " + reply.saw(), 1, Integer::sum);
        for (String retry : reply.retries().split(",", -1)) {
            if (!retry.isEmpty()) {
                retries.merge(retry, 1, Integer::sum);
            }
        }
    }

    synchronized Map<String, Integer> faults() {
        return new TreeMap<>(faults);
    }

    synchronized Map<String, Integer> missed() {
        return new TreeMap<>(missed);
    }

    synchronized Map<String, Integer> outcomes() {
        return new TreeMap<>(outcomes);
    }

    synchronized Map<String, Integer> retries() {
        return new TreeMap<>(retries);
    }

    synchronized int deliveries() {
        return deliveries;
    }

    synchronized int redeliveries() {
        return redeliveries;
    }

    synchronized int expiredDeliveries() {
        return expired;
    }
}
