package io.dedupstore.examples.cmq;

import com.qcloud.cmq.Message;
import com.qcloud.cmq.Queue;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.InvalidEventException;
import io.dedupstore.examples.credit.Credit;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes credits from a queue of CMQ, each applied once, however often it is delivered. A message is deleted after the
 * commit, with the receipt handle of this very receive. If that fails, as it does when the work took longer than the
 * queue's visibility timeout, nothing is undone: the message comes again, the store knows it, and the new handle deletes it.
 * What is to be retried is not deleted either, and comes again after the visibility timeout.
 *
 * <p>The event's id is in the message's body. {@code msgId} is another for each sending of the same fact, and the receipt
 * handle another for each receive. One consumer is one thread, with one message at a time; start several for more.
 */
public final class CreditConsumer implements Runnable {
    /** In the store's keys. */
    static final String NAME = "credits";

    /**
     * How often a message is tried: for 50 minutes with CMQ's default visibility timeout of 30 s, so that it is put aside
     * before TDMQ drops it, by default after an hour. A database is seldom away for longer.
     */
    static final int MAX_RECEIVES = 100;

    private static final Logger LOG = LoggerFactory.getLogger(CreditConsumer.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Queues queues;
    private final int maxReceives;
    private final DedupStore store;
    private final BiConsumer<Handle, Credit> work;
    private volatile boolean closed;

    /**
     * Creates it; {@link #run} consumes.
     *
     * @param queues what to consume, and where to put aside what cannot be applied
     * @param store for the claims
     * @param work the business change, in the claim's transaction
     */
    public CreditConsumer(Queues queues, DedupStore store, BiConsumer<Handle, Credit> work) {
        this(queues, MAX_RECEIVES, store, work);
    }

    CreditConsumer(Queues queues, int maxReceives, DedupStore store, BiConsumer<Handle, Credit> work) {
        this.queues = queues;
        this.maxReceives = maxReceives;
        this.store = store;
        this.work = work;
    }

    /** Consumes until it is closed or interrupted. */
    @Override
    public void run() {
        while (!closed && !Thread.currentThread().isInterrupted()) {
            Message message = receive();
            if (message != null) {
                settle(message);
            }
        }
    }

    /** Pauses after any failure: a queue without long polls answers at once that it has no message. */
    private @Nullable Message receive() {
        try {
            // the queue's own long poll; for receiveMessage(seconds) the SDK makes a client and its pool anew each time
            return queues.credits().receiveMessage();
        } catch (Exception e) {
            if (!Cmq.isEmpty(e)) {
                LOG.warn("No message could be received ({})", Cmq.describe(e));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            return null;
        }
    }

    private void settle(Message message) {
        try {
            consume(message);
        } catch (Exception e) {
            // whatever is committed is committed, and what is not deleted comes again
            LOG.warn("Message {} could not be settled ({}); it will come again", message.msgId, Cmq.describe(e));
        }
    }

    private void consume(Message message) throws Exception {
        if (message.dequeueCount > maxReceives) {
            putAside(queues.dead(), message, DeadLetter.of(message.msgBody, maxReceives + " attempts have failed."));
            return;
        }
        try {
            Credit credit = Credit.read(message.msgBody);
            Event event = credit.event(NAME, message.dequeueCount > 1);
            switch (store.consume(event, tx -> apply(tx, credit))) {
                case ACK -> delete(message);
                case RETRY -> LOG.info("Message {} comes again after its visibility timeout", message.msgId);
                case QUARANTINE -> putAside(queues.quarantine(), message, conflict(message, event));
            }
        } catch (InvalidEventException e) {
            putAside(queues.quarantine(), message, DeadLetter.of(message.msgBody, String.valueOf(e.getMessage())));
        }
    }

    private Credit apply(Handle tx, Credit credit) {
        work.accept(tx, credit);
        return credit;
    }

    private void delete(Message message) throws Exception {
        queues.credits().deleteMessage(message.receiptHandle);
    }

    /** The copy first: if it cannot be sent, the message stays. If the delete fails, there will be two copies. */
    private void putAside(Queue queue, Message message, String letter) throws Exception {
        queue.send(letter);
        delete(message);
    }

    private String conflict(Message message, Event event) {
        return store.find(event.key())
                .map(stored -> DeadLetter.ofConflict(message.msgBody, stored, event.hash()))
                .orElseGet(() ->
                        DeadLetter.of(message.msgBody, "The event cannot be applied; the consumer's log says why."));
    }

    /** Ends it after the long poll, or the message, that it is at. */
    public void close() {
        closed = true;
    }
}
