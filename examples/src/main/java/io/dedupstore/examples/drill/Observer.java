package io.dedupstore.examples.drill;

import io.dedupstore.Claim;
import io.dedupstore.CommitInDoubtException;
import io.dedupstore.DedupListener;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.TransientStoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Notes for each thread what the store says of the delivery that it has in hand. */
final class Observer implements DedupListener {
    private static final int MOST = 2000;

    private static final class Notes {
        Saw saw = Saw.FAILED;
        final StringBuilder retries = new StringBuilder();
    }

    private final ThreadLocal<Notes> notes = ThreadLocal.withInitial(Notes::new);

    void begin() {
        notes.remove();
    }

    Saw saw() {
        return notes.get().saw;
    }

    String retries(boolean interrupted) {
        return notes.get().retries + (interrupted ? "(interrupted)," : "");
    }

    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        notes.get().saw = Saw.APPLIED;
    }

    @Override
    public void duplicate(Event event, Claim stored) {
        notes.get().saw = Saw.DUPLICATE;
    }

    @Override
    public void conflict(Event event, PayloadConflictException conflict) {
        notes.get().saw = Saw.CONFLICT;
    }

    @Override
    public void failed(Event event, Throwable failure, Disposition disposition) {
        Notes mine = notes.get();
        if (failure instanceof CommitInDoubtException) {
            mine.saw = Saw.IN_DOUBT;
        } else if (mine.saw != Saw.CONFLICT) {
            mine.retries.append("given up: ").append(reason(failure)).append(',');
        }
    }

    @Override
    public void inDoubt(Event event, UUID claimId) {
        notes.get().retries.append("(commit in doubt),");
    }

    @Override
    public void retry(Event event, int failedAttempts, Duration pause, Throwable failure) {
        StringBuilder retries = notes.get().retries;
        if (retries.length() < MOST) {
            retries.append(reason(failure)).append(',');
        }
    }

    private static String reason(Throwable failure) {
        if (failure instanceof TransientStoreException known) {
            return known.reason().name();
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return "SQLState " + sql.getSQLState();
            }
        }
        return failure.getClass().getSimpleName();
    }
}
