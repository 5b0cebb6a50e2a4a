package io.dedupstore.examples.cmq;

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
 * @param reason how the reason begins for which a message has to be put aside; empty if none has to be
 */
record Sent(String event, String how, String first, String second, List<String> outcomes, String reason) {
    /** Its deletion is late: the receipt handle is void. */
    static final String DELETED_LATE = "payment-2";

    /** Its work fails the first time. */
    static final String FAILS_ONCE = "payment-3";

    private static final long AMOUNT = 2_500;

    static List<Sent> all() {
        return List.of(
                once("payment-1", "once", "applied"),
                once(DELETED_LATE, "once; deleted too late", "applied", "duplicate"),
                once(FAILS_ONCE, "once; the work fails once", "failed", "applied"),
                twice("payment-4", "twice, the same", AMOUNT, "", "applied", "duplicate"),
                twice("payment-5", "twice, with another amount", 9_900, "The event was", "applied", "conflict"),
                malformed("payment-6"));
    }

    private static Sent once(String event, String how, String... outcomes) {
        return new Sent(event, how, credit(event, AMOUNT), "", List.of(outcomes), "");
    }

    private static Sent twice(String event, String how, long amount, String reason, String... outcomes) {
        return new Sent(event, how, credit(event, AMOUNT), credit(event, amount), List.of(outcomes), reason);
    }

    private static Sent malformed(String event) {
        return new Sent(
                event, "once, cut off", credit(event, AMOUNT).substring(0, 20), "", List.of(), "The message is");
    }

    private static String credit(String event, long amount) {
        return new String(new Credit(event, event, amount).bodyWithId(), StandardCharsets.UTF_8);
    }

    String account() {
        return event;
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
