package io.dedupstore.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java platform has. */
public final class Sha256 {
    private Sha256() {}

    /**
     * Digests bytes.
     *
     * @param bytes the input
     * @return 32 bytes
     */
    public static byte[] of(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java platform lacks SHA-256, which its specification requires.", e);
        }
    }
}
