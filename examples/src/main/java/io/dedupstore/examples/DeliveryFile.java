package io.dedupstore.examples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the file of deliveries, all of it or nothing. */
final class DeliveryFile {
    private static final String BUILT_IN = "deliveries.jsonl";
    private static final int MOST_PROBLEMS = 20;

    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private DeliveryFile() {}

    /**
     * Reads and checks a file.
     *
     * @param file the file, or null for the built-in one
     * @return its deliveries, at least one
     * @throws UsageException if it cannot be read or a line of it is malformed; the message names those lines
     */
    static List<Delivery> read(@Nullable Path file) throws UsageException {
        DeliveryFile read = new DeliveryFile();
        read.lines(bytes(file));
        if (read.problems.isEmpty()) {
            read.requireCasesApart();
            read.requireOutrunsFollowed();
        }
        if (read.problems.isEmpty() && read.deliveries.isEmpty()) {
            read.problems.add("It holds no delivery.");
        }
        if (!read.problems.isEmpty()) {
            String name = file == null ? BUILT_IN : file.toString();
            throw new UsageException(name + ":\n" + String.join("\n", read.problems) + "\nNothing was applied.");
        }
        return read.deliveries;
    }

    private static byte[] bytes(@Nullable Path file) throws UsageException {
        try {
            if (file != null) {
                return Files.readAllBytes(file);
            }
            try (InputStream in = DeliveryFile.class.getResourceAsStream(BUILT_IN)) {
                return Objects.requireNonNull(in, BUILT_IN).readAllBytes();
            }
        } catch (IOException e) {
            throw new UsageException("The file " + file + " cannot be read ("
                    + e.getClass().getSimpleName() + "). Nothing was applied.");
        }
    }

    /** Cut at line feeds as bytes, so that a line that is no UTF-8 can be named as well. */
    private void lines(byte[] file) {
        int number = 0;
        for (int start = 0; start < file.length && problems.size() < MOST_PROBLEMS; ) {
            int end = start;
            while (end < file.length && file[end] != '\n') {
                end++;
            }
            line(++number, ByteBuffer.wrap(file, start, end - start));
            start = end + 1;
        }
    }

    private void line(int number, ByteBuffer bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            if (!text.isBlank()) {
                deliveries.add(numbered(DeliveryLine.parse(number, text)));
            }
        } catch (CharacterCodingException e) {
            malformed(number, "it is not UTF-8");
        } catch (UsageException e) {
            malformed(number, String.valueOf(e.getMessage()));
        }
    }

    private Delivery numbered(Delivery delivery) {
        long before = deliveries.stream()
                .filter(earlier -> earlier.event().equals(delivery.event()))
                .count();
        return delivery.withAttempt((int) before + 1);
    }

    /** Else one case's credits would show in another one's balance. */
    private void requireCasesApart() {
        Map<String, String> accountOfCase = new HashMap<>();
        Map<String, String> caseOfAccount = new HashMap<>();
        Map<String, String> caseOfEvent = new HashMap<>();
        for (Delivery delivery : deliveries) {
            String title = delivery.title();
            if (!putOrSame(accountOfCase, title, delivery.account())) {
                malformed(delivery.line(), "its case had another account before");
            } else if (!putOrSame(caseOfAccount, delivery.account(), title)) {
                malformed(delivery.line(), "its account belongs to another case");
            } else if (!putOrSame(caseOfEvent, delivery.event(), title)) {
                malformed(delivery.line(), "its event belongs to another case");
            }
        }
    }

    private static boolean putOrSame(Map<String, String> map, String key, String value) {
        String before = map.putIfAbsent(key, value);
        return before == null || before.equals(value);
    }

    private void requireOutrunsFollowed() {
        for (int i = 0; i < deliveries.size(); i++) {
            Delivery outrun = deliveries.get(i);
            if (outrun.then() == Then.OUTRUN
                    && (i + 1 == deliveries.size() || !follows(outrun, deliveries.get(i + 1)))) {
                malformed(
                        outrun.line(),
                        "after \"outrun\" the next line must be the same event and payload with \"ack\","
                                + " for the second consumer");
            }
        }
    }

    private static boolean follows(Delivery outrun, Delivery next) {
        return next.event().equals(outrun.event()) && next.samePayload(outrun) && next.then() == Then.ACK;
    }

    private void malformed(int line, String why) {
        problems.add("line " + line + ": " + why);
    }
}
