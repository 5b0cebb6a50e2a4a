package io.dedupstore.servers.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.RetryPolicy;
import io.dedupstore.servers.EmbeddedServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server's files survive its sudden end with every claim that was reported as applied, and its effect. */
@Timeout(180)
public abstract class KilledServerRules {
    private static final int CONSUMERS = 8;
    private static final int SOME = 400;

    private final Set<String> applied = ConcurrentHashMap.newKeySet();

    /** For subclasses. */
    protected KilledServerRules() {}

    /** {@return a fresh server of the test's own} */
    protected abstract EmbeddedServer start();

    @Test
    final void a2_whatWasAppliedSurvivesAKilledServer() throws Exception {
        try (EmbeddedServer server = start()) {
            Jdbi jdbi = Jdbi.create(server.url());
            DedupStore store = DedupStore.builder(jdbi)
                    .retry(RetryPolicy.none().withDeadline(Duration.ofMillis(200)))
                    .build();
            store.schema().create();
            jdbi.useHandle(handle -> handle.execute("CREATE TABLE effect (event VARCHAR(100) NOT NULL)"));
            List<Future<Disposition>> consumers = Stream.generate(() -> Concurrently.run(() -> consume(store)))
                    .limit(CONSUMERS)
                    .toList();
            Concurrently.await("some are applied", () -> applied.size() > SOME);
            server.kill();
            for (Future<Disposition> consumer : consumers) {
                assertThat(consumer.get(30, TimeUnit.SECONDS))
                        .as("wherever it was when the server died")
                        .isEqualTo(Disposition.RETRY);
            }
            server.restart();
            List<String> effects = strings(jdbi, "SELECT event FROM effect");
            assertThat(effects).as("what was reported is there").containsAll(applied);
            assertThat(effects)
                    .as("each claim with its effect, once")
                    .containsExactlyInAnyOrderElementsOf(strings(jdbi, "SELECT event_id FROM dedup_claim"));
            assertThat(effects)
                    .as("besides at most what each had in hand")
                    .hasSizeBetween(applied.size(), applied.size() + CONSUMERS);
        }
    }

    /** Until something goes wrong. */
    private Disposition consume(DedupStore store) {
        while (true) {
            Event event = Bank.event();
            String id = event.key().eventId();
            Disposition disposition =
                    store.consume(event, tx -> tx.execute("INSERT INTO effect (event) VALUES (?)", id));
            if (disposition != Disposition.ACK) {
                return disposition;
            }
            applied.add(id);
        }
    }

    private static List<String> strings(Jdbi jdbi, String sql) {
        return jdbi.withHandle(handle -> handle.select(sql).mapTo(String.class).list());
    }
}
