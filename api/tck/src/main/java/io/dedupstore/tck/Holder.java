package io.dedupstore.tck;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

/** A consumer in the midst of its work: its claim is made and not yet decided. */
final class Holder {
    /** What a holder that is told to roll back throws. */
    static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final CountDownLatch holds = new CountDownLatch(1);
    private final CountDownLatch decided = new CountDownLatch(1);
    private final Future<Outcome<Long>> end;
    private volatile boolean commits;

    Holder(Kit kit, DedupStore store, Event event) {
        end = kit.async(() -> store.claimAndApply(event, tx -> {
            long credits = kit.credit().withHandle(tx);
            holds.countDown();
            Kit.await(decided);
            if (!commits) {
                throw new RolledBack();
            }
            return credits;
        }));
        Kit.await(holds);
    }

    Outcome<Long> commit() throws Exception {
        commits = true;
        decided.countDown();
        return Kit.get(end);
    }

    void rollBack() throws Exception {
        decided.countDown();
        try {
            Kit.get(end);
            throw new AssertionError("The holder was told to roll back and committed");
        } catch (java.util.concurrent.ExecutionException e) {
            if (!(e.getCause() instanceof RolledBack)) {
                throw e;
            }
        }
    }
}
