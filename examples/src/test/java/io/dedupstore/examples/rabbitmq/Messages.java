package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.dedupstore.examples.credit.Credit;
import java.util.Map;

/** What a producer sends. */
final class Messages {
    /** Whom they credit. */
    static final String ACCOUNT = "a";

    private Messages() {}

    static BasicProperties of(Object eventId) {
        return new BasicProperties.Builder()
                .headers(Map.of(Headers.EVENT_ID, eventId))
                .deliveryMode(2)
                .build();
    }

    static byte[] credit(String eventId) {
        return new Credit(eventId, ACCOUNT, 100).body();
    }
}
