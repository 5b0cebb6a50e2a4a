package io.dedupstore;

import io.dedupstore.internal.CanonicalJson;
import io.dedupstore.internal.Sha256;
import io.dedupstore.internal.Text;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The digest of an event's payload, with the name of the scheme that made it. The name is stored with the claim; digests
 * of different schemes are never compared (rule C6). Immutable.
 *
 * <p>Hash what must be the same in every delivery of one event. {@link #ofBytes} sees any change of the raw payload, a
 * reordered JSON object included; {@link #ofJson} sees only changes of the JSON value; {@link #fields()} only the business
 * fields that it is given.
 */
public final class PayloadHash {
    /** Longest scheme name, in characters. */
    public static final int MAX_SCHEME = 32;

    /** Longest digest, in bytes. */
    public static final int MAX_DIGEST = 64;

    private static final int MIN_DIGEST = 16;
    private static final String RAW = "sha256";
    private static final String JSON = "sha256-jcs";
    private static final String FIELDS = "sha256-fields";

    private final String scheme;
    private final byte[] digest;

    private PayloadHash(String scheme, byte[] digest) {
        this.scheme = scheme;
        this.digest = digest;
    }

    /**
     * SHA-256 of the raw payload; scheme {@code sha256}.
     *
     * @param payload the payload as it came
     * @return its hash
     */
    public static PayloadHash ofBytes(byte[] payload) {
        return new PayloadHash(RAW, Sha256.of(Objects.requireNonNull(payload, "payload")));
    }

    /**
     * SHA-256 of a text's UTF-8 bytes; scheme {@code sha256}, so that it equals {@link #ofBytes} of the same bytes. Texts
     * are not normalised.
     *
     * @param payload the payload as it came
     * @return its hash
     * @throws InvalidEventException if the text holds half of a surrogate pair
     */
    public static PayloadHash ofText(String payload) {
        return new PayloadHash(RAW, Sha256.of(Text.utf8("payload", Objects.requireNonNull(payload, "payload"))));
    }

    /**
     * SHA-256 of a JSON text's canonical form by RFC 8785; scheme {@code sha256-jcs}. White space and the order of an
     * object's members do not matter; values do.
     *
     * <p>Refused is what has no one canonical form: numbers of more digits or a larger exponent than a double keeps, duplicate names,
     * lone surrogates, and anything after the value.
     *
     * @param json one JSON value
     * @return its hash
     * @throws InvalidEventException if the text is not such a value, naming the position
     * @throws StoreConfigurationException if the libraries that this needs are not on the class path:
     *     {@code io.github.erdtman:java-json-canonicalization} and {@code com.fasterxml.jackson.core:jackson-core}
     */
    public static PayloadHash ofJson(String json) {
        return new PayloadHash(JSON, Sha256.of(CanonicalJson.utf8(Objects.requireNonNull(json, "json"))));
    }

    /**
     * SHA-256 of chosen business fields, in the order given; scheme {@code sha256-fields}.
     *
     * @return an empty list of fields; not safe for several threads
     */
    public static HashedFields fields() {
        return new HashedFields(digest -> new PayloadHash(FIELDS, digest));
    }

    /**
     * A hash that was made elsewhere, as a store reads it back or as a team's own scheme makes it.
     *
     * @param scheme the scheme's name: 1 to {@value #MAX_SCHEME} lower-case letters, digits, {@code - . _ :}
     * @param digest 16 to {@value #MAX_DIGEST} bytes
     * @return the hash
     * @throws IllegalArgumentException if name or digest are not of that form
     */
    public static PayloadHash of(String scheme, byte[] digest) {
        if (scheme.isEmpty() || scheme.length() > MAX_SCHEME || !scheme.chars().allMatch(PayloadHash::nameable)) {
            throw new IllegalArgumentException("A scheme's name has 1 to " + MAX_SCHEME
                    + " lower-case letters, digits, '-', '.', '_' or ':'; this one does not.");
        }
        if (digest.length < MIN_DIGEST || digest.length > MAX_DIGEST) {
            throw new IllegalArgumentException("A digest has " + MIN_DIGEST + " to " + MAX_DIGEST + " bytes, this one "
                    + digest.length + "; store a digest, not the payload.");
        }
        return new PayloadHash(scheme, digest.clone());
    }

    private static boolean nameable(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "-._:".indexOf(c) >= 0;
    }

    /** {@return the name of the scheme} */
    public String scheme() {
        return scheme;
    }

    /** {@return a copy of the digest} */
    public byte[] digest() {
        return digest.clone();
    }

    /** Compares scheme and digest, the digest in constant time. */
    @Override
    public boolean equals(Object other) {
        return other instanceof PayloadHash that
                && scheme.equals(that.scheme)
                && MessageDigest.isEqual(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return 31 * scheme.hashCode() + Arrays.hashCode(digest);
    }

    /** {@return scheme and digest in hexadecimal} */
    @Override
    public String toString() {
        return scheme + ':' + HexFormat.of().formatHex(digest);
    }
}
