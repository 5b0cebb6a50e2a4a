package io.dedupstore.examples.drill;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Which fault comes at which delivery: a function of the seed. Every kind comes equally often, in a random order; those of
 * the surroundings are struck one after another, those in the consumer go with the delivery.
 */
final class Schedule {
    /** A fault of the surroundings, by its number among the database's. */
    record Planned(long atDelivery, int fault) {}

    private final Map<Long, Trouble> troubles = new HashMap<>();
    private final List<Planned> planned = new ArrayList<>();
    private final long step;

    /**
     * Plans.
     *
     * @param faults how many faults, deadlocks counted once
     * @param deliveries at how many deliveries
     * @param surroundings how many kinds there are that strike from outside
     * @param inside the kinds that strike in the consumer
     */
    Schedule(long seed, int faults, long deliveries, int surroundings, Set<Trouble> inside) {
        Random random = new Random(seed);
        List<Trouble> kinds = inside.stream().sorted().toList();
        int all = surroundings + kinds.size();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < faults; i++) {
            order.add(i % all);
        }
        java.util.Collections.shuffle(order, random);
        this.step = Math.max(2, deliveries / (faults + 1));
        for (int i = 0; i < faults; i++) {
            long at = (i + 1) * step + random.nextInt((int) Math.max(1, step / 2));
            int kind = order.get(i);
            if (kind < surroundings) {
                planned.add(new Planned(at, kind));
            } else {
                put(at, kinds.get(kind - surroundings));
            }
        }
    }

    private void put(long at, Trouble trouble) {
        troubles.put(at, trouble);
        if (trouble == Trouble.LOCKS_UP) {
            troubles.put(at + 1, Trouble.LOCKS_DOWN);
        }
    }

    /** {@return how many deliveries there are from one fault to the next} */
    long step() {
        return step;
    }

    Trouble at(long delivery) {
        return troubles.getOrDefault(delivery, Trouble.NONE);
    }

    List<Planned> planned() {
        return planned;
    }
}
