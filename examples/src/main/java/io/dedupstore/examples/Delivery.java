package io.dedupstore.examples;

import java.util.Map;

/**
 * One line of the file: one delivery of an event.
 *
 * @param line its number, from 1
 * @param title the case it belongs to
 * @param event the event's id
 * @param account whom to credit
 * @param amount how much, in minor units
 * @param then what happens to this delivery
 * @param attempt how often the event has been delivered, this time included
 * @param balances what the account must hold afterwards, as far as the line says
 */
record Delivery(
        int line,
        String title,
        String event,
        String account,
        long amount,
        Then then,
        int attempt,
        Map<Mode, Long> balances) {
    Delivery {
        balances = Map.copyOf(balances);
    }

    Delivery withAttempt(int number) {
        return new Delivery(line, title, event, account, amount, then, number, balances);
    }

    boolean samePayload(Delivery other) {
        return account.equals(other.account) && amount == other.amount;
    }

    Order order(Mode mode) {
        return new Order(event, account, amount, then, mode, attempt > 1);
    }

    /** {@return no payload} */
    @Override
    public String toString() {
        return "Delivery[line " + line + "]";
    }
}
