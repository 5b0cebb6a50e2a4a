package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.dedupstore.InvalidEventException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A message's headers: the one that its producer has to set, and those of a dead letter. */
public final class Headers {
    /**
     * The fact's id, as text. A header of its own, because the delivery tag is the delivery's, and the property {@code
     * message-id} names the message: many libraries fill it anew each time that a producer sends the same fact.
     */
    public static final String EVENT_ID = "event-id";

    /** Why the message is a dead letter. */
    public static final String REASON = "dedup-reason";

    /** Of a conflict: the hash that was stored when the event was applied. */
    public static final String STORED_HASH = "dedup-stored-hash";

    /** Of a conflict: the hash of this message. */
    public static final String RECEIVED_HASH = "dedup-received-hash";

    private Headers() {}

    static Map<String, Object> of(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        return headers == null ? Map.of() : headers;
    }

    /** The fact's id; what is not exactly a text is refused, for two ids must never be taken for one. */
    static String eventId(BasicProperties properties) {
        if (!(of(properties).get(EVENT_ID) instanceof LongString text)) {
            throw new InvalidEventException("The message has no text in the header " + EVENT_ID + ".");
        }
        try {
            ByteBuffer utf8 = ByteBuffer.wrap(text.getBytes());
            return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidEventException("The header " + EVENT_ID + " is not UTF-8.");
        }
    }
}
