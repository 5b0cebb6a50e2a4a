package io.dedupstore.examples.drill;

import java.util.Random;

/**
 * One numbered transfer between two accounts. Which is a function of the seed and the number. An altered one has the same
 * number and another amount: the conflicting payload of the same event.
 */
record Transfer(long number, int from, int to, long amount) {
    static final int ACCOUNTS = 100;

    static Transfer of(long seed, long number) {
        Random random = new Random(seed * 31 + number);
        int from = 1 + random.nextInt(ACCOUNTS);
        int to = 1 + (from + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        return new Transfer(number, from, to, 1 + random.nextInt(1000));
    }

    Transfer altered() {
        return new Transfer(number, from, to, amount + 5000);
    }

    /** {@return the event's id} */
    String event() {
        return "transfer-" + number;
    }
}
