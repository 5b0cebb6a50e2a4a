package io.dedupstore.internal;

import io.dedupstore.CommitInDoubtException;
import io.dedupstore.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts of one owned claim that failed, and whether another one follows (R1, R4). Used by one thread. */
final class Attempts {
    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    private final Engine engine;
    private final Event event;
    private final long start = System.nanoTime();
    private final List<Throwable> failures = new ArrayList<>(0);

    Attempts(Engine engine, Event event) {
        this.engine = engine;
        this.event = event;
    }

    /** Pauses before the next attempt, or throws if there is none. A commit in doubt is asked after until the deadline. */
    void pauseOrGiveUp(Throwable last, boolean inDoubt) {
        failures.add(last);
        int failed = failures.size();
        Duration pause = engine.retry().pauseAfter(failed);
        long nextBegins = System.nanoTime() - start + pause.toNanos();
        boolean exhausted = failed >= engine.retry().attempts() && !inDoubt;
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (exhausted || interrupted || nextBegins > engine.retry().deadline().toNanos()) {
            throw giveUp(last, inDoubt);
        }
        LOG.debug(
                "Event {}: attempt {} failed ({}), next in {} ms",
                event.key(),
                failed,
                Redacted.describe(last),
                pause.toMillis());
        engine.tell(listener -> listener.retry(event, failed, pause, last));
        try {
            Thread.sleep(pause.toMillis(), pause.toNanosPart() % 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw giveUp(last, inDoubt);
        }
    }

    private RuntimeException giveUp(Throwable last, boolean inDoubt) {
        throw lastly(inDoubt ? new CommitInDoubtException(event.key(), last) : last);
    }

    /**
     * Throws what the call ends with, with the earlier failures attached: exactly that object, checked or not, for it may
     * have come out of the work.
     */
    RuntimeException lastly(Throwable failure) {
        for (Throwable earlier : failures) {
            if (earlier != failure && earlier != failure.getCause()) {
                failure.addSuppressed(earlier);
            }
        }
        throw Attempts.<RuntimeException>unchecked(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException unchecked(Throwable failure) throws T {
        throw (T) failure;
    }
}
