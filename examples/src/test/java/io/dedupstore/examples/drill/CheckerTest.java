package io.dedupstore.examples.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.Disposition;
import io.dedupstore.examples.drill.History.Answer;
import io.dedupstore.examples.drill.Tables.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each rule of the checker, by a history written by hand that breaks it. */
class CheckerTest {
    private static final Transfer FIRST = new Transfer(1, 1, 2, 100);

    private final Map<Long, Transfer> deliveries = new LinkedHashMap<>();
    private final Map<Long, Answer> answers = new LinkedHashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Set<String> claims = new HashSet<>();
    private final Map<Integer, Long> balances = new HashMap<>(Map.of(1, Bank.OPENING_BALANCE, 2, Bank.OPENING_BALANCE));

    private void delivered(long id, Transfer transfer) {
        deliveries.put(id, transfer);
    }

    private void answered(long id, Transfer transfer, Disposition disposition, Saw saw) {
        delivered(id, transfer);
        answers.put(id, new Answer(disposition, saw));
    }

    private void applied(Transfer transfer) {
        effects.add(new Effect(transfer));
        claims.add(transfer.event());
        balances.merge(transfer.from(), -transfer.amount(), Long::sum);
        balances.merge(transfer.to(), transfer.amount(), Long::sum);
    }

    private List<String> check() {
        return Checker.check(new History(deliveries, answers), new Tables(balances, effects, claims));
    }

    private void assertOnly(String... symptoms) {
        List<String> wrong = check();
        assertThat(wrong).hasSameSizeAs(symptoms);
        for (int i = 0; i < symptoms.length; i++) {
            assertThat(wrong.get(i)).contains(symptoms[i]);
        }
    }

    @Test
    void everythingThatMayHappenIsRight() {
        delivered(1, FIRST); // a consumer that was killed
        answered(2, FIRST, Disposition.RETRY, Saw.FAILED);
        answered(3, FIRST, Disposition.ACK, Saw.APPLIED);
        answered(4, FIRST, Disposition.ACK, Saw.DUPLICATE);
        answered(5, FIRST.altered(), Disposition.QUARANTINE, Saw.CONFLICT);
        applied(FIRST);
        assertOnly();
    }

    @Test
    void whoeverComesFirstWinsAConflict() {
        answered(1, FIRST.altered(), Disposition.ACK, Saw.APPLIED);
        answered(2, FIRST, Disposition.QUARANTINE, Saw.CONFLICT);
        applied(FIRST.altered());
        assertOnly();
    }

    @Test
    void anUnseenCommitMayHaveBeenAKilledConsumersOrOneInDoubt() {
        answered(1, FIRST, Disposition.RETRY, Saw.IN_DOUBT);
        answered(2, FIRST, Disposition.ACK, Saw.DUPLICATE);
        applied(FIRST);
        assertOnly();
    }

    @Test
    void acknowledgedAndLost() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        assertOnly("was acknowledged and its payload has no effect", "is lost");
    }

    @Test
    void appliedTwice() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        applied(FIRST);
        applied(FIRST);
        assertOnly("was applied 2 times");
    }

    @Test
    void conflictAcknowledged() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        answered(2, FIRST.altered(), Disposition.ACK, Saw.DUPLICATE);
        applied(FIRST);
        assertOnly("delivery 2 was acknowledged and its payload has no effect");
    }

    @Test
    void rightPayloadQuarantined() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        answered(2, FIRST, Disposition.QUARANTINE, Saw.CONFLICT);
        applied(FIRST);
        assertOnly("delivery 2 was quarantined and its payload has an effect");
    }

    @Test
    void reportedTwice() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        answered(2, FIRST, Disposition.ACK, Saw.APPLIED);
        applied(FIRST);
        assertOnly("was reported as applied 2 times");
    }

    @Test
    void duplicateOfNothing() {
        answered(1, FIRST, Disposition.RETRY, Saw.FAILED);
        answered(2, FIRST, Disposition.ACK, Saw.DUPLICATE);
        applied(FIRST);
        assertOnly("all its deliveries say that they did not make it");
    }

    @Test
    void effectWithoutClaim() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        applied(FIRST);
        claims.clear();
        assertOnly("has an effect without a claim");
    }

    @Test
    void claimWithoutEffect() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        applied(FIRST);
        claims.add("transfer-2");
        assertOnly("transfer-2 has a claim without an effect", "more claims than events");
    }

    @Test
    void halfATransfer() {
        answered(1, FIRST, Disposition.ACK, Saw.APPLIED);
        applied(FIRST);
        balances.merge(2, -1L, Long::sum);
        assertOnly("Account 2 holds", "money came or went");
    }

    @Test
    void neverAcknowledged() {
        answered(1, FIRST, Disposition.RETRY, Saw.IN_DOUBT);
        applied(FIRST);
        assertOnly("was never acknowledged");
    }
}
