package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.Channel;
import io.dedupstore.Event;
import io.dedupstore.examples.credit.Outcomes;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Once makes the server close the consumer's channel between the commit and the acknowledgement. */
final class Observed extends Outcomes {
    private volatile @Nullable Channel channel;

    void watch(Channel consumers) {
        channel = consumers;
    }

    @Override
    public void applied(Event event, UUID claimId, Duration took) {
        super.applied(event, claimId, took);
        Channel consumers = channel;
        if (event.key().eventId().equals(Sent.CHANNEL_LOST) && consumers != null) {
            try {
                consumers.queueDeclarePassive("dedup_example_none");
            } catch (IOException e) {
                // as expected: there is none, and the server has closed the channel
            }
        }
    }
}
