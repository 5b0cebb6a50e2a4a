package io.dedupstore.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.dedupstore.InvalidEventException;
import io.dedupstore.StoreConfigurationException;
import java.io.IOException;
import java.math.BigDecimal;
import org.erdtman.jcs.JsonCanonicalizer;
import org.erdtman.jcs.NumberToJSON;

/**
 * RFC 8785 by a library, behind a strict reader. The canonicalizer rounds numbers to doubles and accepts some texts that
 * are no I-JSON; two payloads that differ only there would get the same hash, so the reader refuses them first. Parser
 * messages quote the payload, so only positions are reported (E6).
 */
public final class CanonicalJson {
    private static final String NEEDED = "PayloadHash.ofJson needs io.github.erdtman:java-json-canonicalization and"
            + " com.fasterxml.jackson.core:jackson-core on the class path; add both, or use another hash.";

    private CanonicalJson() {}

    /**
     * Reads and rewrites one JSON value.
     *
     * @param json the text
     * @return its canonical form
     */
    public static byte[] utf8(String json) {
        try {
            return Strict.canonical(json);
        } catch (NoClassDefFoundError e) {
            throw new StoreConfigurationException(NEEDED, e);
        }
    }

    /** Apart, so that the outer class loads without the optional libraries. */
    private static final class Strict {
        private static final JsonFactory FACTORY = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .build();

        static byte[] canonical(String json) {
            check(json);
            try {
                // the library takes an object or an array only; a scalar is canonical as an array's one element
                byte[] wrapped = new JsonCanonicalizer('[' + json + ']').getEncodedUTF8();
                byte[] bare = new byte[wrapped.length - 2];
                System.arraycopy(wrapped, 1, bare, 0, bare.length);
                return bare;
            } catch (IOException e) {
                throw new InvalidEventException("The payload is no JSON that has a canonical form (RFC 8785).");
            }
        }

        private static void check(String json) {
            JsonLocation at = JsonLocation.NA;
            boolean complete = false;
            int depth = 0;
            try (JsonParser parser = FACTORY.createParser(json)) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    at = parser.currentTokenLocation();
                    if (complete) {
                        throw new InvalidEventException("The payload goes on after its JSON value, at " + position(at));
                    }
                    checkToken(parser, at);
                    depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                    complete = depth == 0;
                }
            } catch (JsonProcessingException e) {
                JsonLocation where = e.getLocation() == null ? at : e.getLocation();
                throw new InvalidEventException(
                        "The payload is not one JSON value without duplicate names, at " + position(where));
            } catch (IOException e) {
                throw new InvalidEventException("The payload is not JSON, at " + position(at));
            }
            if (!complete) {
                throw new InvalidEventException("The payload is empty; it should be one JSON value.");
            }
        }

        private static void checkToken(JsonParser parser, JsonLocation at) throws IOException {
            JsonToken token = parser.currentToken();
            if (token.isNumeric()) {
                checkNumber(parser.getText(), at);
            } else if (token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING) {
                checkText(parser.getText(), at);
            }
        }

        private static void checkNumber(String literal, JsonLocation at) throws IOException {
            if (!exactAsDouble(literal)) {
                throw new InvalidEventException("The payload has a number that a double cannot hold as written, at "
                        + position(at) + "; send it as a string.");
            }
        }

        private static boolean exactAsDouble(String literal) throws IOException {
            double value = Double.parseDouble(literal);
            if (!Double.isFinite(value)) {
                return false;
            }
            try {
                return new BigDecimal(NumberToJSON.serializeNumber(value)).compareTo(new BigDecimal(literal)) == 0;
            } catch (NumberFormatException e) {
                return false; // an exponent beyond even a BigDecimal's
            }
        }

        private static void checkText(String text, JsonLocation at) {
            try {
                Text.utf8("payload", text);
            } catch (InvalidEventException e) {
                throw new InvalidEventException("The payload has half of a surrogate pair in the text at "
                        + position(at) + "; it is no valid text.");
            }
        }

        private static String position(JsonLocation at) {
            return "line " + at.getLineNr() + ", column " + at.getColumnNr();
        }
    }
}
