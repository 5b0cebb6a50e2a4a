package io.dedupstore.examples.cmq;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dedupstore.Claim;
import io.dedupstore.PayloadHash;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message that was put aside. CMQ's messages have neither headers nor properties, so it is a JSON object: the message as
 * it came, and beside it why it is here. It is longer than the message; leave room below the queue's largest size.
 */
public final class DeadLetter {
    /** The message as it came. */
    public static final String BODY = "body";

    /** Why it was put aside. */
    public static final String REASON = "dedup-reason";

    /** Of a conflict: the hash that was stored when the event was applied. */
    public static final String STORED_HASH = "dedup-stored-hash";

    /** Of a conflict: the hash of this message. */
    public static final String RECEIVED_HASH = "dedup-received-hash";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private DeadLetter() {}

    static String of(String body, String reason) {
        return object(body, reason).toString();
    }

    static String ofConflict(String body, Claim stored, PayloadHash received) {
        return object(body, "The event was claimed before with another payload hash.")
                .put(STORED_HASH, stored.hash().toString())
                .put(RECEIVED_HASH, received.toString())
                .toString();
    }

    private static ObjectNode object(String body, String reason) {
        return JSON.createObjectNode().put(BODY, body).put(REASON, reason);
    }

    /**
     * What stands beside the message in a dead letter.
     *
     * @param letter the dead letter
     * @return by name
     * @throws JsonProcessingException if it is none
     */
    public static Map<String, String> reasons(String letter) throws JsonProcessingException {
        Map<String, String> reasons = new TreeMap<>();
        JSON.readTree(letter)
                .properties()
                .forEach(field -> reasons.put(field.getKey(), field.getValue().textValue()));
        reasons.remove(BODY);
        return reasons;
    }
}
