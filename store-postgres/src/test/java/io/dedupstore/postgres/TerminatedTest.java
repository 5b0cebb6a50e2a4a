package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupListener;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Back ends that the server ends, in the work and before the commit. */
@Timeout(120)
class TerminatedTest {
    private Scene scene;

    @BeforeEach
    void prepare() {
        scene = new Scene(Servers.POSTGRES.url()).ready();
    }

    private void terminate(String pid) {
        scene.execute("SELECT pg_terminate_backend(" + pid + ")");
        scene.awaitGone(pid);
    }

    @Test
    void r1_backEndTerminatedInTheWork() throws Exception {
        Event event = Scene.event();
        long cents = scene.cents();
        AtomicInteger runs = new AtomicInteger();
        Outcome<Object> outcome = scene.store().claimAndApply(event, tx -> {
            if (runs.incrementAndGet() == 1) {
                terminate(Scene.pid(tx));
            }
            return Scene.credit(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(runs).hasValue(2);
        scene.assertAppliedOnce(event, cents);
    }

    @Test
    void r3_backEndTerminatedBeforeTheCommit() throws Exception {
        Event event = Scene.event();
        long cents = scene.cents();
        AtomicInteger runs = new AtomicInteger();
        scene.store().claimAndApply(event, tx -> {
            String pid = Scene.pid(tx);
            Scene.credit(tx);
            if (runs.incrementAndGet() == 1) {
                terminate(pid);
            }
            return null;
        });
        assertThat(runs).as("nothing was committed, so it ran again").hasValue(2);
        scene.assertAppliedOnce(event, cents);
    }

    @Test
    void r1_backEndTerminatedWhileItWaits() throws Exception {
        Event event = Scene.event();
        long cents = scene.cents();
        AtomicInteger retries = new AtomicInteger();
        Scene told = new Scene(
                scene.url(),
                b -> b.lockWait(Duration.ofSeconds(20)).listener(new DedupListener() {
                    @Override
                    public void retry(Event failed, int attempts, Duration pause, Throwable failure) {
                        retries.incrementAndGet();
                    }
                }));
        try (Connection holder = scene.transaction()) {
            scene.store().claim(holder, event);
            Future<Outcome<Object>> waiter = Scene.async(() -> told.store().claimAndApply(event, Scene::credit));
            scene.awaitWaiting(1);
            scene.execute("SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                    + " WHERE NOT l.granted AND a.query LIKE '%dedup_claim%'");
            Waiting.until("it tries again", () -> retries.get() == 1);
            scene.awaitWaiting(1);
            holder.rollback();
            assertThat(waiter.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
        }
        scene.assertAppliedOnce(event, cents);
    }
}
