package io.dedupstore.examples;

import io.dedupstore.Disposition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must come of a delivery. The rule: without the claim every commit counts; with it the first commit of an event
 * counts, and later deliveries are duplicates, or conflicts if their payload is another. A balance that the line itself
 * states goes before the rule's.
 *
 * @param ending what comes of the delivery
 * @param disposition what the broker is told
 * @param state what the account holds afterwards
 */
record Expected(Ending ending, @Nullable Disposition disposition, Accounts.State state) {
    /** What is expected of a whole file, in the order of its lines. */
    static List<Expected> of(List<Delivery> deliveries, Mode mode) {
        Rule rule = new Rule(mode);
        List<Expected> all = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            all.add(rule.next(delivery).orAsStated(delivery, mode));
        }
        return all;
    }

    private Expected orAsStated(Delivery delivery, Mode mode) {
        Long stated = delivery.balances().get(mode);
        return stated == null ? this : new Expected(ending, disposition, new Accounts.State(stated, state.credits()));
    }

    /** The rule, and what it has to remember. */
    private static final class Rule {
        private final Mode mode;
        private final Map<String, Delivery> applied = new HashMap<>();
        private final Map<String, Accounts.State> states = new HashMap<>();
        private Accounts.@Nullable State whileHeld;

        Rule(Mode mode) {
            this.mode = mode;
        }

        Expected next(Delivery delivery) {
            if (whileHeld != null) {
                return whileHeld(whileHeld);
            }
            Accounts.State before = states.getOrDefault(delivery.account(), Accounts.State.OPENING);
            Delivery first = mode == Mode.WITH_CLAIM ? applied.get(delivery.event()) : null;
            if (first != null) {
                return again(delivery, first, before);
            }
            return switch (delivery.then()) {
                case ROLL_BACK -> new Expected(Ending.ROLLED_BACK, Disposition.RETRY, before);
                case DIE_BEFORE_COMMIT -> new Expected(Ending.KILLED, null, before);
                case DIE_AFTER_COMMIT -> new Expected(Ending.KILLED, null, commit(delivery, before));
                case ACK -> new Expected(Ending.APPLIED, Disposition.ACK, commit(delivery, before));
                case OUTRUN -> {
                    whileHeld = before;
                    yield new Expected(Ending.APPLIED, Disposition.ACK, commit(delivery, before));
                }
            };
        }

        /** The second consumer gives up while the first one still has not committed. */
        private Expected whileHeld(Accounts.State before) {
            whileHeld = null;
            Ending ending = mode == Mode.WITH_CLAIM ? Ending.IN_FLIGHT : Ending.LOCK_TIMEOUT;
            return new Expected(ending, Disposition.RETRY, before);
        }

        private Expected again(Delivery delivery, Delivery first, Accounts.State before) {
            if (!first.samePayload(delivery)) {
                return new Expected(Ending.CONFLICT, Disposition.QUARANTINE, before);
            }
            return delivery.then() == Then.DIE_AFTER_COMMIT
                    ? new Expected(Ending.KILLED, null, before)
                    : new Expected(Ending.DUPLICATE, Disposition.ACK, before);
        }

        private Accounts.State commit(Delivery delivery, Accounts.State before) {
            Accounts.State after = before.plus(delivery.amount());
            states.put(delivery.account(), after);
            applied.putIfAbsent(delivery.event(), delivery);
            return after;
        }
    }
}
