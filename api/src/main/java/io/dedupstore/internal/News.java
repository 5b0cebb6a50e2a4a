package io.dedupstore.internal;

import io.dedupstore.Claim;
import io.dedupstore.DedupException;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.WorkFailedException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log and the listener what happened (E6, E7). Neither can change it. */
final class News {
    private static final Logger LOG = LoggerFactory.getLogger(DedupStore.class);

    private final DedupListener listener;
    private final Predicate<Throwable> permanent;

    News(DedupListener listener, Predicate<Throwable> permanent) {
        this.listener = listener;
        this.permanent = permanent;
    }

    void tell(Consumer<DedupListener> something) {
        if (listener == DedupListener.NONE) {
            return;
        }
        try {
            something.accept(listener);
        } catch (Exception | LinkageError | AssertionError e) {
            LOG.warn("A listener failed ({})", Redacted.describe(e));
        }
    }

    void duplicate(Event event, Claim stored) {
        LOG.debug("Event {} had been applied at {}", event.key(), stored.claimedAt());
        tell(told -> told.duplicate(event, stored));
    }

    void failed(Event event, Throwable failure) {
        if (listener == DedupListener.NONE) {
            return;
        }
        if (failure instanceof PayloadConflictException conflict) {
            tell(told -> told.conflict(event, conflict));
        }
        Disposition disposition = disposition(failure);
        tell(told -> told.failed(event, failure, disposition));
    }

    /** What a listener does with the message; logged, since the exception ends here. */
    Disposition disposed(Event event, Throwable failure) {
        Disposition disposition = disposition(failure);
        if (failure instanceof DedupException known) {
            // the store's own messages are safe to show
            LOG.warn("{}: {}", disposition, known.getMessage());
        } else {
            LOG.warn("{}: the work of event {} failed ({})", disposition, event.key(), Redacted.describe(failure));
        }
        return disposition;
    }

    private Disposition disposition(Throwable failure) {
        if (failure instanceof DedupException known && !(failure instanceof WorkFailedException)) {
            return known.disposition();
        }
        try {
            return permanent.test(failure) ? Disposition.QUARANTINE : Disposition.RETRY;
        } catch (Exception | LinkageError | AssertionError e) {
            LOG.warn("The rule for permanent failures failed itself ({})", Redacted.describe(e));
            return Disposition.RETRY;
        }
    }
}
