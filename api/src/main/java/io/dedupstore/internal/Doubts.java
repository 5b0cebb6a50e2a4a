package io.dedupstore.internal;

import io.dedupstore.Claim;
import io.dedupstore.DedupException;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The commits of one owned claim whose answer was lost (R3). Used by one thread. */
final class Doubts<R extends @Nullable Object> {
    private record Doubt<R extends @Nullable Object>(UUID claimId, R result, FailureKind kind, Throwable failure) {}

    private final Engine engine;
    private final Event event;
    private final List<Doubt<R>> doubts = new ArrayList<>(0);

    Doubts(Engine engine, Event event) {
        this.engine = engine;
        this.event = event;
    }

    boolean any() {
        return !doubts.isEmpty();
    }

    void add(UUID claimId, R result, FailureKind kind, Throwable failure) {
        doubts.add(new Doubt<>(claimId, result, kind, failure));
        engine.tell(listener -> listener.inDoubt(event, claimId));
    }

    /** The outcome of the lost commit that stored this claim, or null if none of them did. */
    Outcome.@Nullable Applied<R> resolvedBy(Claim stored) {
        for (Doubt<R> doubt : doubts) {
            if (doubt.claimId().equals(stored.claimId())) {
                return new Outcome.Applied<>(doubt.claimId(), doubt.result());
            }
        }
        return null;
    }

    /**
     * None of them happened, nor can it any more: the key was claimed anew.
     *
     * @return why the work cannot be committed, or null if another run may succeed
     */
    @Nullable
    DedupException didNotHappen() {
        if (doubts.isEmpty()) {
            return null;
        }
        Doubt<R> last = doubts.get(doubts.size() - 1);
        doubts.clear();
        if (last.kind().retried()) {
            return null;
        }
        String what = "Event " + event.key() + " could not be committed";
        return last.kind().reason() == null
                ? new WorkFailedException(
                        what + " (" + Redacted.describe(last.failure()) + "); nothing of it is stored.",
                        Redacted.copy(last.failure()))
                : engine.failures().because(last.kind(), what, last.failure());
    }
}
