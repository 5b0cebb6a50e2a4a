package io.dedupstore.examples.drill;

import java.time.Duration;
import java.util.List;

/** A database of somebody's own: only consumers, locks and work are broken, and nothing but the drill's tables touched. */
final class GivenArena implements Arena {
    private static final Duration HELD = Duration.ofMillis(1200);
    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(5);

    private final String url;

    GivenArena(String url) {
        this.url = url;
    }

    @Override
    public String consumersUrl() {
        return url;
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public List<Fault> faults() {
        return List.of(Arena.holdLock(url, HELD));
    }

    /** How to see another session's end differs from database to database; killed consumers' are rolled back soon. */
    @Override
    public void settle() {
        try {
            Arena.pause(LONGEST_TRANSACTION);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // not ours
    }
}
