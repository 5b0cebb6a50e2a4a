package io.dedupstore.examples.drill;

import io.dedupstore.Disposition;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What was delivered and what was answered, from two files of lines: {@code deliveries.log} holds the delivery's number,
 * event, debited and credited account and amount; {@code answers.log} the delivery's number, the disposition and what the
 * consumer saw.
 */
record History(Map<Long, Transfer> deliveries, Map<Long, Answer> answers) {
    private static final String DELIVERIES = "deliveries.log";
    private static final String ANSWERS = "answers.log";

    /** An answer to a delivery. */
    record Answer(Disposition disposition, Saw saw) {}

    static History read(Path folder) throws IOException {
        Map<Long, Transfer> deliveries = new LinkedHashMap<>();
        for (String[] f : lines(folder.resolve(DELIVERIES))) {
            deliveries.put(
                    Long.parseLong(f[0]),
                    new Transfer(
                            Long.parseLong(f[1]),
                            Integer.parseInt(f[2]),
                            Integer.parseInt(f[3]),
                            Long.parseLong(f[4])));
        }
        Map<Long, Answer> answers = new LinkedHashMap<>();
        for (String[] f : lines(folder.resolve(ANSWERS))) {
            answers.put(Long.parseLong(f[0]), new Answer(Disposition.valueOf(f[1]), Saw.valueOf(f[2])));
        }
        return new History(deliveries, answers);
    }

    private static List<String[]> lines(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            List<String[]> fields = new ArrayList<>();
            lines.forEach(line -> fields.add(line.split(" ", -1)));
            return fields;
        }
    }

    /** Writes the two files. Used under the source's lock. */
    static final class Log implements AutoCloseable {
        private final BufferedWriter deliveries;
        private final BufferedWriter answers;

        Log(Path folder) throws IOException {
            deliveries = Files.newBufferedWriter(folder.resolve(DELIVERIES), StandardCharsets.US_ASCII);
            answers = Files.newBufferedWriter(folder.resolve(ANSWERS), StandardCharsets.US_ASCII);
        }

        void delivered(Handed handed) {
            Transfer t = handed.transfer();
            line(deliveries, handed.id() + " " + t.number() + " " + t.from() + " " + t.to() + " " + t.amount());
        }

        void answered(Reply reply) {
            line(answers, reply.id() + " " + reply.disposition() + " " + reply.saw());
        }

        private static void line(BufferedWriter file, String line) {
            try {
                file.write(line);
                file.write('\n');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            try (answers) {
                deliveries.close();
            }
        }
    }
}
