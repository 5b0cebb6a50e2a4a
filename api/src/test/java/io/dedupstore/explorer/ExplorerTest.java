package io.dedupstore.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.NewClaim;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real engine, in every order of two consumers' steps, with one crash or one lost answer anywhere. */
@Timeout(120)
class ExplorerTest {
    private static final Event EVENT = event("payload");

    private static Event event(String payload) {
        return Event.of(EventKey.of("billing", "event"), PayloadHash.ofText(payload));
    }

    @Test
    void r3_samePayloadIsAppliedOnceAndAcknowledgedAfterwards() throws InterruptedException {
        try (Explorer explorer = new Explorer(new Script(), 1)) {
            explorer.explore(EVENT, EVENT);
            assertCovered(explorer);
        }
    }

    @Test
    void c3_anotherPayloadIsAConflictInEveryOrder() throws InterruptedException {
        try (Explorer explorer = new Explorer(new Script(), 1)) {
            explorer.explore(EVENT, event("another payload"));
            assertCovered(explorer);
        }
    }

    @Test
    void r3_redeliveredEventIsLookedUpFirst() throws InterruptedException {
        try (Explorer explorer = new Explorer(new Script(), 1)) {
            explorer.explore(EVENT, EVENT.redelivered(true));
            assertCovered(explorer);
            assertThat(explorer.struck()).containsKeys("FIND LOST_BEFORE", "FIND CRASH_BEFORE");
        }
    }

    /** Such as a lost commit whose re-claim is struck too. */
    @Test
    void r3_twoStrikes() throws InterruptedException {
        try (Explorer explorer = new Explorer(new Script(), 2)) {
            explorer.explore(EVENT, event("another payload"));
            assertCovered(explorer);
            assertThat(explorer.executions()).isGreaterThan(2000);
        }
    }

    private static void assertCovered(Explorer explorer) {
        System.out.println(explorer.report());
        assertThat(explorer.executions()).isGreaterThan(200);
        assertThat(explorer.struck())
                .containsKeys("CLAIM LOST_AFTER", "WORK LOST_UNNOTICED", "ROLLBACK LOST_BEFORE")
                .containsKeys("COMMIT LOST_BEFORE", "COMMIT LOST_AFTER", "COMMIT LEFT_RUNNING", "COMMIT CRASH_RUNNING")
                .containsKeys("CLAIM CRASH_AFTER", "WORK CRASH_BEFORE", "CLAIM WAITED_TOO_LONG");
    }

    @Test
    void findsADatabaseThatLetsTwoHaveTheKey() {
        assertFound(new Script() {
            @Override
            ClaimAnswer claimOn(World world, World.Tx tx, NewClaim claim) {
                World other = new World();
                ClaimAnswer answer = super.claimOn(other, tx, claim);
                world.holder = null;
                return answer;
            }
        });
    }

    @Test
    void findsAStoreThatDoesNotKnowItsOwnClaim() {
        assertFound(new Script() {
            @Override
            ClaimAnswer claimOn(World world, World.Tx tx, NewClaim claim) {
                NewClaim anonymous = new NewClaim(claim.key(), claim.hash(), UUID.randomUUID());
                return super.claimOn(world, tx, anonymous);
            }
        });
    }

    private static void assertFound(Script broken) {
        try (Explorer explorer = new Explorer(broken, 1)) {
            assertThatThrownBy(() -> explorer.explore(EVENT, EVENT)).isInstanceOf(AssertionError.class);
        }
    }
}
