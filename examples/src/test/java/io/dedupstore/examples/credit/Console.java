package io.dedupstore.examples.credit;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A consumer process's end of its connection to a drill: it is told by standard input what to consume, says by standard
 * output what its store did, and stands still at the point that it was told. It is the store's listener, so that the
 * consumer under test needs no line of its own for a drill. Safe for several threads.
 */
public final class Console implements DedupListener {
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream out = System.out;
    private final Semaphore goOn = new Semaphore(0);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final StopPoint stopPoint;

    private Console() {
        System.setOut(System.err);
        this.stopPoint = StopPoint.valueOf(next());
    }

    /** {@return the console of this process} */
    public static Console open() {
        return new Console();
    }

    /** {@return the next line that the drill has written; not after {@link #ready}} */
    public String next() {
        try {
            return Objects.requireNonNull(in.readLine(), "the drill is gone");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that the consumer consumes. From now on this process ends with the drill. */
    public void ready() {
        Thread reader = new Thread(this::read, "drill-console");
        reader.start();
        say("ready");
    }

    private void read() {
        try {
            while (in.readLine() != null) {
                goOn.release();
            }
        } catch (IOException e) {
            // as at its end
        }
        Runtime.getRuntime().halt(0);
    }

    private synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    /**
     * For the work's end: stands still there if it is the point.
     *
     * @param eventId of the delivery
     */
    public void beforeCommit(String eventId) {
        standStillAt(StopPoint.BEFORE_COMMIT, eventId);
    }

    private void standStillAt(StopPoint point, String eventId) {
        if (point == stopPoint && stopped.compareAndSet(false, true)) {
            say(point + " " + eventId);
            goOn.acquireUninterruptibly();
        }
    }

    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        standStillAt(StopPoint.AFTER_COMMIT, event.key().eventId());
        say("applied " + event.key().eventId());
    }

    @Override
    public void duplicate(Event event, Claim stored) {
        say("duplicate " + event.key().eventId());
    }

    @Override
    public void conflict(Event event, PayloadConflictException conflict) {
        say("conflict " + event.key().eventId());
    }

    @Override
    public void failed(Event event, Throwable failure, Disposition disposition) {
        say("failed " + event.key().eventId() + " " + disposition);
    }
}
