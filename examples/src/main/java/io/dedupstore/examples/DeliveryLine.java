package io.dedupstore.examples;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dedupstore.EventKey;
import io.dedupstore.InvalidEventException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one line of the file, strictly. No message quotes the line: it is payload. */
final class DeliveryLine {
    private static final long LARGEST = 1_000_000_000L;
    private static final int LONGEST_TITLE = 40;
    private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9._-]{1,64}");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]+");
    private static final Map<Mode, String> BALANCES =
            new EnumMap<>(Map.of(Mode.WITH_CLAIM, "withClaim", Mode.WITHOUT_CLAIM, "withoutClaim"));
    private static final Set<String> NAMES =
            Set.of("case", "event", "account", "amount", "then", "withClaim", "withoutClaim");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private final JsonNode object;

    private DeliveryLine(JsonNode object) {
        this.object = object;
    }

    static Delivery parse(int number, String text) throws UsageException {
        return new DeliveryLine(object(text)).delivery(number);
    }

    private static JsonNode object(String text) throws UsageException {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonNode node = JSON.readTree(parser);
            if (node == null || !node.isObject() || parser.nextToken() != null) {
                throw new UsageException("it is not one JSON object");
            }
            return node;
        } catch (MismatchedInputException e) {
            throw new UsageException("a name comes twice" + column(e));
        } catch (JsonProcessingException e) {
            throw new UsageException("it is not valid JSON" + column(e));
        } catch (IOException e) {
            throw new UsageException("it cannot be read");
        }
    }

    private static String column(JsonProcessingException e) {
        return e.getLocation() == null ? "" : ", at column " + e.getLocation().getColumnNr();
    }

    private Delivery delivery(int number) throws UsageException {
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            if (!NAMES.contains(names.next())) {
                throw new UsageException("it has a name that is none of case, event, account, amount, then, withClaim,"
                        + " withoutClaim");
            }
        }
        return new Delivery(
                number, title(), event(), account(), whole("amount", required("amount"), 1), then(), 1, balances());
    }

    private String title() throws UsageException {
        String title = text("case");
        if (title.length() > LONGEST_TITLE || !PRINTABLE.matcher(title).matches()) {
            throw new UsageException("\"case\" is not 1 to " + LONGEST_TITLE + " printable ASCII characters");
        }
        return title;
    }

    private String event() throws UsageException {
        try {
            return EventKey.of(DemoConsumer.NAME, text("event")).eventId();
        } catch (InvalidEventException e) {
            throw new UsageException("\"event\" is no event id. " + e.getMessage());
        }
    }

    private String account() throws UsageException {
        String account = text("account");
        if (!ACCOUNT.matcher(account).matches()) {
            throw new UsageException("\"account\" is not 1 to 64 lower-case letters, digits, '.', '_' or '-'");
        }
        return account;
    }

    private Then then() throws UsageException {
        return Then.of(text("then")).orElseThrow(() -> new UsageException("\"then\" is none of " + Then.words()));
    }

    private Map<Mode, Long> balances() throws UsageException {
        Map<Mode, Long> balances = new EnumMap<>(Mode.class);
        for (Map.Entry<Mode, String> balance : BALANCES.entrySet()) {
            JsonNode value = object.get(balance.getValue());
            if (value != null) {
                balances.put(balance.getKey(), whole(balance.getValue(), value, 0));
            }
        }
        return balances;
    }

    private String text(String name) throws UsageException {
        JsonNode value = required(name);
        if (!value.isTextual()) {
            throw new UsageException("\"" + name + "\" is not a string");
        }
        return value.textValue();
    }

    private JsonNode required(String name) throws UsageException {
        @Nullable JsonNode value = object.get(name);
        if (value == null) {
            throw new UsageException("\"" + name + "\" is missing");
        }
        return value;
    }

    private static long whole(String name, JsonNode value, long least) throws UsageException {
        boolean whole = value.isIntegralNumber() && value.canConvertToLong();
        if (!whole || value.longValue() < least || value.longValue() > LARGEST) {
            throw new UsageException("\"" + name + "\" is not a whole number from " + least + " to " + LARGEST);
        }
        return value.longValue();
    }
}
