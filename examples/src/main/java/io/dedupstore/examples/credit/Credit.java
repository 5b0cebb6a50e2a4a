package io.dedupstore.examples.credit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.InvalidEventException;
import io.dedupstore.PayloadHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The business fact that the examples' messages carry: an account was credited. As a message it is a JSON object of
 * {@code account} and {@code amount}; where the broker has no place for the event's id, of {@code event} too.
 *
 * @param eventId the fact's own id, given by who produced it
 * @param account whom to credit
 * @param amount how much, in minor units
 */
public record Credit(String eventId, String account, long amount) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * Reads a message whose id travels beside its body.
     *
     * @param eventId the fact's id, from a header or key that the producer sets; null if there was none
     * @param body the message
     * @return the fact
     * @throws InvalidEventException if it is none; the message says what is wrong and quotes nothing
     */
    public static Credit read(@Nullable String eventId, byte[] body) {
        if (eventId == null) {
            throw new InvalidEventException("The message has no event id. Its producer has to set one.");
        }
        JsonNode object = object(() -> JSON.readTree(body));
        return new Credit(eventId, text(object, "account"), amount(object));
    }

    /**
     * Reads a message that has nothing but a body.
     *
     * @param body the message
     * @return the fact
     * @throws InvalidEventException if it is none; the message says what is wrong and quotes nothing
     */
    public static Credit read(byte[] body) {
        return withId(object(() -> JSON.readTree(body)));
    }

    /**
     * Reads a message that has nothing but a body and comes as a text. Not by way of its bytes: half a surrogate pair would
     * become a question mark, and the id another one.
     *
     * @param body the message
     * @return the fact
     * @throws InvalidEventException if it is none; the message says what is wrong and quotes nothing
     */
    public static Credit read(String body) {
        return withId(object(() -> JSON.readTree(body)));
    }

    private static Credit withId(JsonNode object) {
        return new Credit(text(object, "event"), text(object, "account"), amount(object));
    }

    private interface Reading {
        JsonNode read() throws IOException;
    }

    private static JsonNode object(Reading reading) {
        try {
            JsonNode node = reading.read();
            if (node.isObject()) {
                return node;
            }
        } catch (JsonProcessingException e) {
            // not passed on: it quotes the message
        } catch (IOException e) {
            throw new IllegalStateException(e); // of what is in memory
        }
        throw new InvalidEventException("The message is not one JSON object.");
    }

    private static String text(JsonNode object, String name) {
        JsonNode value = object.path(name);
        if (!value.isTextual()) {
            throw new InvalidEventException("The message has no text \"" + name + "\".");
        }
        return value.textValue();
    }

    private static long amount(JsonNode object) {
        JsonNode value = object.path("amount");
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() <= 0) {
            throw new InvalidEventException("The message has no whole, positive number \"amount\".");
        }
        return value.longValue();
    }

    /** {@return the message whose id travels beside it} */
    public byte[] body() {
        return bytes(JSON.createObjectNode().put("account", account).put("amount", amount));
    }

    /** {@return the message that has its id in it} */
    public byte[] bodyWithId() {
        return bytes(JSON.createObjectNode()
                .put("event", eventId)
                .put("account", account)
                .put("amount", amount));
    }

    private static byte[] bytes(JsonNode object) {
        return object.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The event to claim. Its hash is of the fact's fields and not of the message's bytes, so that a producer that sends it
     * again may order or space them in another way.
     *
     * @param consumer who consumes it
     * @param redelivered whether the broker says that it has delivered it before
     * @return the event
     * @throws InvalidEventException if the id or the account is not acceptable
     */
    public Event event(String consumer, boolean redelivered) {
        PayloadHash hash = PayloadHash.fields()
                .text("account", account)
                .number("amount", amount)
                .hash();
        return Event.of(EventKey.of(consumer, eventId), hash).redelivered(redelivered);
    }

    /** {@return no more than the id: the rest is payload} */
    @Override
    public String toString() {
        return "Credit[eventId=" + eventId + "]";
    }
}
