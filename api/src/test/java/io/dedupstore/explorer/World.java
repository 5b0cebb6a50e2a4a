package io.dedupstore.explorer;

import io.dedupstore.Claim;
import io.dedupstore.spi.NewClaim;
import java.util.ArrayList;
import java.util.List;

/** A database with one key, as far as the protocol sees it. Used by one thread at a time, the one whose turn it is. */
final class World {
    /** A transaction on the server. */
    static final class Tx {
        NewClaim claim;
        Integer run;
        boolean mayCommit;
        boolean severed;
    }

    /** A committed effect. */
    record Effect(NewClaim claim, int run) {}

    /** The transaction that has the key, uncommitted. */
    Tx holder;

    /** Transactions whose clients are gone, and which the server has not ended yet. */
    final List<Tx> abandoned = new ArrayList<>();

    Claim committed;
    final List<Effect> effects = new ArrayList<>();

    void commit(Tx tx) {
        if (tx.claim != null) {
            if (committed != null) {
                throw new AssertionError("two claims of one key");
            }
            committed = new Claim(tx.claim.key(), tx.claim.hash(), tx.claim.claimId(), java.time.Instant.EPOCH);
        }
        if (tx.run != null) {
            effects.add(new Effect(tx.claim, tx.run));
        }
        end(tx);
    }

    /** Also what a rollback does. */
    void end(Tx tx) {
        tx.severed = true;
        abandoned.remove(tx);
        if (holder == tx) {
            holder = null;
        }
    }

    String shape() {
        return (committed == null ? "free" : "claimed") + (holder == null ? "" : "+held") + "+abandoned"
                + abandoned.size() + "+effects" + effects.size();
    }
}
