package io.dedupstore.examples.drill;

import io.dedupstore.Disposition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The at-least-once source. It makes events in the order of their numbers and delivers them out of order; most of them
 * twice, some with another payload. A message stays until it is acknowledged or quarantined; it comes again after RETRY,
 * when its consumer is gone, and when nobody has answered within the visibility timeout, while the first consumer may
 * still be at work. Safe for any number of threads.
 */
final class Source {
    static final Duration VISIBILITY = Duration.ofMillis(1500);

    private static final Duration GRACE = Duration.ofSeconds(60);
    private static final int NEAR = 50;
    private static final int FAR = 2000;
    private static final double COPIED = 0.97;
    private static final double ALTERED = 0.06;
    /** How many deliveries may always go out beyond one at which a fault strikes or is still to strike. */
    private static final int LEAST_SLACK = 100;

    private static final long NEVER = Long.MAX_VALUE / 2;

    /** What is to be delivered, at a position among the events or, once it has failed, at a time. */
    private static final class Message {
        final Transfer transfer;
        long position;
        long notBefore;
        int deliveries;
        boolean done;

        Message(Transfer transfer, long position) {
            this.transfer = transfer;
            this.position = position;
        }
    }

    private record Flight(Message message, ConsumerJvm consumer, long expires) {}

    private final long seed;
    private final Random random;
    private final Schedule schedule;
    private final long slack;
    private final History.Log log;
    private final Counts counts;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Message> ready = new PriorityQueue<>(Comparator.comparingLong(m -> m.position));
    private final PriorityQueue<Message> again = new PriorityQueue<>(Comparator.comparingLong(m -> m.notBefore));
    private final Map<Long, Flight> flights = new LinkedHashMap<>();
    private final Map<Long, Message> overdue = new HashMap<>();
    private long events;
    private long produced;
    private long handed;
    private long open;
    private long faultDue = NEVER;

    Source(DrillOptions options, Schedule schedule, History.Log log, Counts counts) {
        this.seed = options.seed();
        this.events = options.events();
        this.random = new Random(seed + 1);
        this.schedule = schedule;
        this.slack = Math.max(LEAST_SLACK, schedule.step()); // consumers work on while a long fault lasts
        this.log = log;
        this.counts = counts;
    }

    /** The next delivery, or null if there is none now. */
    @Nullable
    Handed take(ConsumerJvm consumer) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Message message = due();
            while (message == null) {
                if (!changed.await(20, TimeUnit.MILLISECONDS)) {
                    return null;
                }
                message = due();
            }
            long id = ++handed;
            Handed delivery = new Handed(id, message.transfer, message.deliveries++ > 0, schedule.at(id));
            flights.put(id, new Flight(message, consumer, System.nanoTime() + VISIBILITY.toNanos()));
            log.delivered(delivery);
            counts.handed(delivery);
            changed.signalAll();
            return delivery;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Message due() {
        expire();
        return handed < faultDue + slack ? next() : null;
    }

    private @Nullable Message next() {
        Message failed = again.peek();
        if (failed != null && failed.notBefore <= System.nanoTime()) {
            return again.remove();
        }
        while (produced < events && (ready.isEmpty() || ready.element().position > produced)) {
            produce(Transfer.of(seed, ++produced));
        }
        return ready.poll();
    }

    private void produce(Transfer transfer) {
        add(transfer, NEAR);
        if (random.nextDouble() < COPIED) {
            add(transfer, random.nextBoolean() ? NEAR : FAR);
        }
        if (random.nextDouble() < ALTERED) {
            add(transfer.altered(), random.nextBoolean() ? NEAR : FAR);
        }
    }

    private void add(Transfer transfer, int within) {
        ready.add(new Message(transfer, produced + random.nextInt(within)));
        open++;
    }

    private void expire() {
        long now = System.nanoTime();
        for (Iterator<Map.Entry<Long, Flight>> i = flights.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Long, Flight> flight = i.next();
            if (flight.getValue().expires() > now) {
                return; // in the order in which they went out
            }
            i.remove();
            overdue.put(flight.getKey(), flight.getValue().message());
            comeAgain(flight.getValue().message(), Duration.ZERO);
            counts.expired();
        }
    }

    private void comeAgain(Message message, Duration after) {
        if (!message.done) {
            message.notBefore = System.nanoTime() + after.toNanos();
            again.add(message);
        }
    }

    /** A consumer's answer, in time or too late. */
    void answered(Reply reply) {
        lock.lock();
        try {
            log.answered(reply);
            counts.answered(reply);
            Flight flight = flights.remove(reply.id());
            Message message = flight == null ? overdue.remove(reply.id()) : flight.message();
            if (message == null) {
                throw new IllegalStateException("delivery " + reply.id() + " was answered twice");
            }
            if (reply.disposition() != Disposition.RETRY) {
                if (!message.done) {
                    message.done = true;
                    open--;
                    again.remove(message);
                }
            } else if (flight != null) {
                comeAgain(message, Duration.ofMillis(Math.min(500, 20L * message.deliveries)));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A consumer is gone: what it had comes again. */
    void gone(ConsumerJvm consumer) {
        lock.lock();
        try {
            List<Long> its = new ArrayList<>();
            flights.forEach((id, flight) -> {
                if (flight.consumer() == consumer) {
                    its.add(id);
                }
            });
            for (long id : its) {
                Flight flight = flights.remove(id);
                if (flight != null) {
                    comeAgain(flight.message(), Duration.ZERO);
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until so many deliveries have gone out, and holds further ones back meanwhile.
     *
     * @return false if all messages are done before
     */
    boolean awaitDelivery(long number) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            faultDue = number;
            while (handed < number && !done()) {
                changed.await(20, TimeUnit.MILLISECONDS);
            }
            return handed >= number;
        } finally {
            lock.unlock();
        }
    }

    /** {@return how many events there were} */
    long produced() {
        lock.lock();
        try {
            return produced;
        } finally {
            lock.unlock();
        }
    }

    /** No fault is to come. */
    void noMoreFaults() {
        lock.lock();
        try {
            faultDue = NEVER;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean done() {
        return produced == events && open == 0;
    }

    /**
     * Waits until all messages are done and nothing is under way any more. When the time is up no further event is made.
     *
     * @return whether the messages that there were are done, at most {@link #GRACE} after the time was up
     */
    boolean awaitEnd(Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        lock.lockInterruptibly();
        try {
            while (!done() || !flights.isEmpty()) {
                long over = System.nanoTime() - deadline;
                if (over > 0) {
                    events = produced;
                }
                if (over > GRACE.toNanos()) {
                    return false;
                }
                expire();
                changed.await(20, TimeUnit.MILLISECONDS);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
