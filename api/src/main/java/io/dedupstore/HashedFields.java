package io.dedupstore;

import io.dedupstore.internal.Sha256;
import io.dedupstore.internal.Text;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Business fields to be hashed, made by {@link PayloadHash#fields()}. Every field goes in with its type, name and length,
 * so that no two different lists of fields give the same bytes: {@code "1"} is not {@code 1}, {@code ("ab","c")} not
 * {@code ("a","bc")}, a missing value not an empty one. The order of the calls counts.
 *
 * <p>Not safe for several threads.
 */
public final class HashedFields {
    private static final byte TEXT = 1;
    private static final byte WHOLE = 2;
    private static final byte DECIMAL = 3;
    private static final byte BOOLEAN = 4;
    private static final byte BYTES = 5;
    private static final byte TIME = 6;
    private static final byte MISSING = 7;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final Set<String> names = new HashSet<>();
    private final Function<byte[], PayloadHash> maker;

    HashedFields(Function<byte[], PayloadHash> maker) {
        this.maker = maker;
    }

    /**
     * Adds a text.
     *
     * @param name the field's name
     * @param value its value, or null if it is missing
     * @return this
     * @throws InvalidEventException if name or value hold half of a surrogate pair, or the name came before
     */
    public HashedFields text(String name, @Nullable String value) {
        return add(TEXT, name, value == null ? null : Text.utf8("field's value", value));
    }

    /**
     * Adds a whole number, such as an amount in minor units.
     *
     * @param name the field's name
     * @param value its value
     * @return this
     * @throws InvalidEventException if the name came before
     */
    public HashedFields number(String name, long value) {
        return add(WHOLE, name, ascii(Long.toString(value)));
    }

    /**
     * Adds a decimal number by its value: {@code 2.50} is {@code 2.5}.
     *
     * @param name the field's name
     * @param value its value, or null if it is missing
     * @return this
     * @throws InvalidEventException if the name came before
     */
    public HashedFields decimal(String name, @Nullable BigDecimal value) {
        return add(DECIMAL, name, value == null ? null : ascii(unscaled(value)));
    }

    // not toPlainString(): 1e999999999 would be written out
    private static String unscaled(BigDecimal value) {
        BigDecimal shortest = value.stripTrailingZeros();
        return shortest.unscaledValue() + "e" + -(long) shortest.scale();
    }

    /**
     * Adds a truth value.
     *
     * @param name the field's name
     * @param value its value
     * @return this
     * @throws InvalidEventException if the name came before
     */
    public HashedFields bool(String name, boolean value) {
        return add(BOOLEAN, name, new byte[] {(byte) (value ? 1 : 0)});
    }

    /**
     * Adds raw bytes.
     *
     * @param name the field's name
     * @param value its value, or null if it is missing
     * @return this
     * @throws InvalidEventException if the name came before
     */
    public HashedFields bytes(String name, byte @Nullable [] value) {
        return add(BYTES, name, value);
    }

    /**
     * Adds an instant, to the nanosecond.
     *
     * @param name the field's name
     * @param value its value, or null if it is missing
     * @return this
     * @throws InvalidEventException if the name came before
     */
    public HashedFields time(String name, @Nullable Instant value) {
        return add(TIME, name, value == null ? null : ascii(value.getEpochSecond() + "." + value.getNano()));
    }

    /**
     * The hash of the fields added so far.
     *
     * @return the hash
     * @throws InvalidEventException if there is no field: nothing would tell two events apart
     */
    public PayloadHash hash() {
        if (names.isEmpty()) {
            throw new InvalidEventException("No field was added; add those that must not change between deliveries.");
        }
        return maker.apply(Sha256.of(bytes.toByteArray()));
    }

    private HashedFields add(byte type, String name, byte @Nullable [] value) {
        byte[] nameBytes = Text.utf8("field's name", Objects.requireNonNull(name, "name"));
        if (!names.add(name)) {
            throw new InvalidEventException(
                    "Field number " + (names.size() + 1) + " has a name that came before; name each field once.");
        }
        try {
            out.writeByte(value == null ? MISSING : type);
            out.writeInt(nameBytes.length);
            out.write(nameBytes);
            out.writeInt(value == null ? 0 : value.length);
            if (value != null) {
                out.write(value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private static byte[] ascii(String value) {
        return value.getBytes(StandardCharsets.US_ASCII);
    }
}
