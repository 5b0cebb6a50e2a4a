package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.Channel;
import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Writes down what the store answers; and once makes the server close the consumer's channel before the acknowledgement. */
final class Observed implements DedupListener {
    private final Map<String, List<String>> outcomes = new ConcurrentHashMap<>();
    private volatile @Nullable Channel channel;

    void watch(Channel consumers) {
        channel = consumers;
    }

    List<String> outcomes(String event) {
        return outcomes.getOrDefault(event, List.of());
    }

    private void note(Event event, String outcome) {
        outcomes.computeIfAbsent(event.key().eventId(), id -> new CopyOnWriteArrayList<>())
                .add(outcome);
    }

    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        note(event, "applied");
        Channel consumers = channel;
        if (event.key().eventId().equals(Sent.CHANNEL_LOST) && consumers != null) {
            try {
                consumers.queueDeclarePassive("dedup_example_none");
            } catch (IOException e) {
                // as expected: there is none, and the server has closed the channel
            }
        }
    }

    @Override
    public void duplicate(Event event, Claim stored) {
        note(event, "duplicate");
    }

    @Override
    public void conflict(Event event, PayloadConflictException conflict) {
        note(event, "conflict");
    }
}
