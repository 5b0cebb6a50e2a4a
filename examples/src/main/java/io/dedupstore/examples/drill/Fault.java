package io.dedupstore.examples.drill;

import java.util.Random;

/** Something that breaks the surroundings of the consumers. */
interface Fault {
    /** {@return its name in the report} */
    String kind();

    /**
     * Strikes, and mends what has to be mended before the next fault.
     *
     * @param random decides what the fault leaves open
     * @return how often it struck; 0 if there was nothing to strike
     * @throws Exception if the surroundings could not be broken or mended as planned
     */
    int strike(Random random) throws Exception;

    /** What a fault does. */
    interface Strike {
        int with(Random random) throws Exception;
    }

    static Fault of(String kind, Strike strike) {
        return new Fault() {
            @Override
            public String kind() {
                return kind;
            }

            @Override
            public int strike(Random random) throws Exception {
                return strike.with(random);
            }
        };
    }
}
