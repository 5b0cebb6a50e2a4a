package io.dedupstore.internal;

import io.dedupstore.InvalidEventException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is acceptable as text, the same on every database, and how it is shown. */
public final class Text {
    private Text() {}

    /**
     * Refuses what some database would silently change or reject: databases disagree on NUL, lone surrogates, emptiness
     * and length, so none of it reaches them (C5).
     *
     * @param part which part of the key, for the message
     * @param value the text
     * @param max longest length in code points
     */
    public static void requireKeyPart(String part, @Nullable String value, int max) {
        if (value == null) {
            throw new InvalidEventException("The " + part + " is null; give every event a non-empty " + part + ".");
        }
        if (value.isEmpty()) {
            throw new InvalidEventException("The " + part + " is empty; give every event a non-empty " + part + ".");
        }
        int codePoints = 0;
        for (int i = 0; i < value.length(); i++, codePoints++) {
            char c = value.charAt(i);
            if (c == 0) {
                throw new InvalidEventException("The " + part + " holds a NUL at index " + i + "; no database keeps it"
                        + " reliably, remove or encode it.");
            }
            if (Character.isSurrogate(c)) {
                if (loneSurrogate(value, i)) {
                    throw new InvalidEventException(
                            "The " + part + " holds half of a surrogate pair at index " + i + "; it is no valid text.");
                }
                i++;
            }
        }
        if (codePoints > max) {
            throw new InvalidEventException("The " + part + " has " + codePoints + " code points, at most " + max
                    + " are allowed; use a shorter id, or a digest of it.");
        }
    }

    private static boolean loneSurrogate(String value, int i) {
        return !Character.isHighSurrogate(value.charAt(i))
                || i + 1 == value.length()
                || !Character.isLowSurrogate(value.charAt(i + 1));
    }

    /**
     * Strict UTF-8: refuses a lone surrogate instead of writing a question mark, under which different texts collide.
     *
     * @param what what the text is, for the message
     * @param value the text
     * @return its bytes
     */
    public static byte[] utf8(String what, String value) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            return Arrays.copyOfRange(bytes.array(), bytes.arrayOffset(), bytes.arrayOffset() + bytes.limit());
        } catch (CharacterCodingException e) {
            throw new InvalidEventException("The " + what + " holds half of a surrogate pair at index "
                    + firstLoneSurrogate(value) + "; it is no valid text.");
        }
    }

    private static int firstLoneSurrogate(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (loneSurrogate(value, i)) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /**
     * Escapes control characters.
     *
     * @param value any text
     * @return the text on one line
     */
    public static String printable(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (unprintable(value.charAt(i))) {
                return escaped(value);
            }
        }
        return value;
    }

    private static boolean unprintable(char c) {
        // U+2028 and U+2029 break lines in many log viewers although they are no control characters
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }

    private static String escaped(String value) {
        StringBuilder line = new StringBuilder(value.length() + 8);
        value.chars().forEach(c -> {
            if (unprintable((char) c)) {
                line.append(String.format("\\u%04x", c));
            } else {
                line.append((char) c);
            }
        });
        return line.toString();
    }
}
