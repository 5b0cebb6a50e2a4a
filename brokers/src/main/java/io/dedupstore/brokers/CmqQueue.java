package io.dedupstore.brokers;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One queue. Each change is in its file before it is answered, so that the process can be killed at any time; the machine
 * cannot, for nothing is forced to the disk. Safe for several threads.
 */
final class CmqQueue {
    static final int LARGEST_BATCH = 16;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * A message; its times are in milliseconds.
     *
     * @param visibleAt until then nobody receives it, and the handle works
     * @param firstReceived 0 if it never was
     * @param handle of the latest receive, empty if there was none
     */
    record Message(
            String id, String body, long enqueued, long visibleAt, long firstReceived, int receives, String handle) {
        private Message receivedAt(long now, int visibilityTimeout) {
            return new Message(
                    id,
                    body,
                    enqueued,
                    now + TimeUnit.SECONDS.toMillis(visibilityTimeout),
                    receives == 0 ? now : firstReceived,
                    receives + 1,
                    UUID.randomUUID().toString());
        }
    }

    /** Messages that can be received now; that have been, and may come again; and that nobody could receive yet. */
    record Counts(int active, int inactive, int delayed) {}

    /** What its file holds. */
    private record State(String name, int visibilityTimeout, int pollingWait, List<Message> messages) {}

    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sent = lock.newCondition();
    private final Path file;
    private final String name;
    private final int visibilityTimeout;
    private final int pollingWait;

    private CmqQueue(Path file, State state) {
        this.file = file;
        this.name = state.name();
        this.visibilityTimeout = state.visibilityTimeout();
        this.pollingWait = state.pollingWait();
        state.messages().forEach(message -> messages.put(message.id(), message));
    }

    static CmqQueue create(Path file, String name, int visibilityTimeout, int pollingWait) {
        return new CmqQueue(file, new State(name, visibilityTimeout, pollingWait, List.of()));
    }

    static CmqQueue load(Path file) throws IOException {
        return new CmqQueue(file, JSON.readValue(file.toFile(), State.class));
    }

    String name() {
        return name;
    }

    int visibilityTimeout() {
        return visibilityTimeout;
    }

    int pollingWait() {
        return pollingWait;
    }

    void save() throws IOException {
        lock.lock();
        try {
            Path fresh = file.resolveSibling(name + ".new");
            State state = new State(name, visibilityTimeout, pollingWait, List.copyOf(messages.values()));
            JSON.writeValue(fresh.toFile(), state);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            lock.unlock();
        }
    }

    void delete() throws IOException {
        lock.lock();
        try {
            Files.deleteIfExists(file);
        } finally {
            lock.unlock();
        }
    }

    String send(String body, int delay) throws IOException {
        lock.lock();
        try {
            long now = System.currentTimeMillis();
            String id = "Msg-" + UUID.randomUUID();
            messages.put(id, new Message(id, body, now, now + TimeUnit.SECONDS.toMillis(delay), 0, 0, ""));
            save();
            sent.signalAll();
            return id;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the first message, not for a batch to be full; empty if none came. */
    List<Message> receive(int most, int wait) throws IOException {
        lock.lock();
        try {
            long deadline = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(wait);
            List<Message> received = take(most);
            long left = deadline - System.currentTimeMillis();
            while (received.isEmpty() && left > 0) {
                sent.awaitNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(left, untilNextIsVisible())));
                received = take(most);
                left = deadline - System.currentTimeMillis();
            }
            return received;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    private List<Message> take(int most) throws IOException {
        long now = System.currentTimeMillis();
        List<Message> taken = new ArrayList<>();
        for (Message message : List.copyOf(messages.values())) {
            if (message.visibleAt() <= now && taken.size() < most) {
                Message received = message.receivedAt(now, visibilityTimeout);
                messages.put(message.id(), received);
                taken.add(received);
            }
        }
        if (!taken.isEmpty()) {
            save();
        }
        return taken;
    }

    private long untilNextIsVisible() {
        long now = System.currentTimeMillis();
        return messages.values().stream()
                .mapToLong(message -> Math.max(1, message.visibleAt() - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Deletes by the handle of the latest receive, before the message is visible again; else false. */
    boolean delete(String handle) throws IOException {
        lock.lock();
        try {
            long now = System.currentTimeMillis();
            boolean deleted = messages.values()
                    .removeIf(message ->
                            message.receives() > 0 && message.handle().equals(handle) && now < message.visibleAt());
            if (deleted) {
                save();
            }
            return deleted;
        } finally {
            lock.unlock();
        }
    }

    Counts counts() {
        lock.lock();
        try {
            long now = System.currentTimeMillis();
            int active = 0;
            int inactive = 0;
            int delayed = 0;
            for (Message message : messages.values()) {
                if (message.visibleAt() <= now) {
                    active++;
                } else if (message.receives() > 0) {
                    inactive++;
                } else {
                    delayed++;
                }
            }
            return new Counts(active, inactive, delayed);
        } finally {
            lock.unlock();
        }
    }
}
