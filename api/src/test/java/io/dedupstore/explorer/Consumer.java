package io.dedupstore.explorer;

import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;

/** One consumer with one message, which comes again until it is acknowledged or quarantined. A thread of its own. */
final class Consumer implements Runnable {
    private static final int MOST_DELIVERIES = 6;

    /** Unwinds a process that has ended; whatever it does meanwhile reaches nobody. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static final ThreadLocal<Consumer> CURRENT = new ThreadLocal<>();

    final String name;
    final World world;
    private final Event event;
    private final DedupStore store;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore explorer;

    /** What it is about to do, or null when it has ended. */
    volatile Step next;

    volatile Strike strike = Strike.NONE;
    volatile boolean crashed;
    volatile Throwable failure;
    int runs;
    int applied;
    int crashes;
    Disposition last;

    Consumer(String name, World world, Event event, DedupStore store, Semaphore explorer) {
        this.name = name;
        this.world = world;
        this.event = event;
        this.store = store;
        this.explorer = explorer;
    }

    static Consumer current() {
        return CURRENT.get();
    }

    Event event() {
        return event;
    }

    @Override
    public void run() {
        CURRENT.set(this);
        try {
            boolean again = event.redelivered();
            for (int i = 0; i < MOST_DELIVERIES && !consume(event.redelivered(again)); i++) {
                again = true;
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            CURRENT.remove();
            next = null;
            explorer.release();
        }
    }

    /** Whether the message is done with. */
    private boolean consume(Event delivered) {
        Disposition disposition;
        try {
            Outcome<Integer> outcome = store.claimAndApply(delivered, tx -> Script.work(++runs));
            disposition = Disposition.of(outcome);
            if (!crashed) {
                judge(outcome);
            }
        } catch (AssertionError e) {
            throw e;
        } catch (Throwable e) {
            disposition = Disposition.of(e);
        }
        if (crashed) {
            crashed = false; // the next process begins
            crashes++;
            return false;
        }
        last = disposition;
        if (disposition == Disposition.QUARANTINE && event.hash().equals(world.committed.hash())) {
            throw new AssertionError("quarantined though its payload is the one that was applied");
        }
        return disposition != Disposition.RETRY;
    }

    /** Nothing is acknowledged before its effect is committed; the result is the committed run's. */
    private void judge(Outcome<Integer> outcome) {
        if (world.committed == null || !event.hash().equals(world.committed.hash()) || world.effects.size() != 1) {
            throw new AssertionError(outcome + " and the database holds " + world.committed + world.effects);
        }
        if (outcome instanceof Outcome.Applied<Integer> mine) {
            applied++;
            World.Effect effect = world.effects.get(0);
            if (!mine.claimId().equals(effect.claim().claimId()) || mine.result() != effect.run()) {
                throw new AssertionError(outcome + " but committed was " + effect);
            }
        }
    }

    /** Waits for its turn to take a step. */
    Strike await(Step step) throws SQLException {
        if (crashed) {
            throw new Crash();
        }
        next = step;
        explorer.release();
        turn.acquireUninterruptibly();
        if (strike.crashes() && strike != Strike.CRASH_AFTER) {
            crashed = true;
        }
        return strike;
    }

    void go(Strike chosen) {
        strike = chosen;
        turn.release();
    }
}
