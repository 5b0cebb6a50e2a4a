package io.dedupstore.examples.rabbitmq;

import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What the example sends of one event, and what has to come of it. Each event has an account of its own.
 *
 * @param event its id
 * @param how in words
 * @param first the message
 * @param second the message that is sent after it; empty for none
 * @param outcomes what the store has to answer, in this order
 * @param deadLetters how many messages have to be quarantined
 */
record Sent(String event, String how, String first, String second, List<String> outcomes, int deadLetters) {
    /** The event whose channel is closed between commit and acknowledgement. */
    static final String CHANNEL_LOST = "payment-2";

    private static final long AMOUNT = 2_500;
    private static final String NONE = "";

    static List<Sent> all() {
        String cut = credit("payment-5", AMOUNT).substring(0, 20);
        return List.of(
                once("payment-1", "once", "applied"),
                once(CHANNEL_LOST, "once; channel closed after the commit", "applied", "duplicate"),
                twice("payment-3", "twice, the same", AMOUNT, 0, "applied", "duplicate"),
                twice("payment-4", "twice, with another amount", 9_900, 1, "applied", "conflict"),
                new Sent("payment-5", "once, cut off", cut, NONE, List.of(), 1));
    }

    private static Sent once(String event, String how, String... outcomes) {
        return new Sent(event, how, credit(event, AMOUNT), NONE, List.of(outcomes), 0);
    }

    private static Sent twice(String event, String how, long amount, int deadLetters, String... outcomes) {
        return new Sent(event, how, credit(event, AMOUNT), credit(event, amount), List.of(outcomes), deadLetters);
    }

    private static String credit(String event, long amount) {
        return new String(new Credit(event, account(event), amount).body(), StandardCharsets.UTF_8);
    }

    private static String account(String event) {
        return event;
    }

    String account() {
        return account(event);
    }

    /** What the account has to hold. */
    Ledger.State expected() {
        int credits = outcomes.contains("applied") ? 1 : 0;
        return new Ledger.State(Ledger.OPENING_BALANCE + credits * AMOUNT, credits);
    }

    /** {@return no payload} */
    @Override
    public String toString() {
        return "Sent[event=" + event + "]";
    }
}
