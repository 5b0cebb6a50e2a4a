package io.dedupstore.examples.rocketmq;

import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.Ledger;
import java.util.Arrays;
import java.util.List;

/**
 * What the example sends of one event, how its consumer fails at the first delivery, and what has to come of it. Each
 * event has an account of its own.
 *
 * @param event its id
 * @param how in words
 * @param fault where the consumer fails
 * @param claimed whether the consumer claims the event
 * @param messages in this order, each when the one before was consumed
 * @param deliveries how many there have to be
 * @param credits how many there have to be
 * @param quarantined how many messages have to be in quarantine
 */
record Sent(
        String event,
        String how,
        Fault fault,
        boolean claimed,
        List<byte[]> messages,
        int deliveries,
        int credits,
        int quarantined) {
    /** Where the consumer fails, once. */
    enum Fault {
        NOWHERE,
        /** The credit is made and not committed. */
        BEFORE_COMMIT,
        /** The credit is committed; the broker is told to deliver again, as it would by itself if the consumer died. */
        AFTER_COMMIT
    }

    private static final long AMOUNT = 2_500;
    private static final long OTHER_AMOUNT = 9_900;

    /** The experiment's four cases, in its order, and three more. */
    static List<Sent> all() {
        byte[] cut = Arrays.copyOf(credit("e-7", AMOUNT), 20);
        return List.of(
                failing("e-1", "fails before the commit", Fault.BEFORE_COMMIT, false, 1),
                failing("e-2", "fails before the commit", Fault.BEFORE_COMMIT, true, 1),
                failing("e-3", "fails after the commit", Fault.AFTER_COMMIT, false, 2),
                failing("e-4", "fails after the commit", Fault.AFTER_COMMIT, true, 1),
                twice("e-5", "sent twice", AMOUNT, 0),
                twice("e-6", "sent twice, with another amount", OTHER_AMOUNT, 1),
                new Sent("e-7", "cut off", Fault.NOWHERE, true, List.of(cut), 1, 0, 1));
    }

    private static Sent failing(String event, String how, Fault fault, boolean claimed, int credits) {
        return new Sent(event, how, fault, claimed, List.of(credit(event, AMOUNT)), 2, credits, 0);
    }

    private static Sent twice(String event, String how, long amount, int quarantined) {
        List<byte[]> messages = List.of(credit(event, AMOUNT), credit(event, amount));
        return new Sent(event, how, Fault.NOWHERE, true, messages, 2, 1, quarantined);
    }

    private static byte[] credit(String event, long amount) {
        return new Credit(event, account(event), amount).body();
    }

    private static String account(String event) {
        return event;
    }

    String account() {
        return account(event);
    }

    /** What the account has to hold. */
    Ledger.State expected() {
        return new Ledger.State(Ledger.OPENING_BALANCE + credits * AMOUNT, credits);
    }

    /** {@return no payload} */
    @Override
    public String toString() {
        return "Sent[event=" + event + "]";
    }
}
