package io.dedupstore.oracle;

import io.dedupstore.EventKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The key as the table's primary key has it: SHA-256 over the UTF-8 of its parts with a zero byte between. No part holds a
 * zero byte (C5), so different keys have different texts here (C4), whatever the database's character set, the session's
 * {@code NLS_COMP} and {@code NLS_SORT}, and Oracle's rule that an empty string is NULL make of the parts themselves.
 */
final class KeyDigest {
    private KeyDigest() {}

    static byte[] of(EventKey key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(key.tenant().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(key.consumer().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return digest.digest(key.eventId().getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
