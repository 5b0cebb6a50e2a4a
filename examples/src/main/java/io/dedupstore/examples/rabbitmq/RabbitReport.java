package io.dedupstore.examples.rabbitmq;

import io.dedupstore.examples.credit.Ledger;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

/** What the example prints: plain ASCII, within 100 columns, no payload. */
final class RabbitReport {
    private static final String ROW = "  %-10s %-38s %-19s %7s %8s %5s  %s";

    private final PrintStream out;

    RabbitReport(PrintStream out) {
        this.out = out;
    }

    void head(String broker, String database) {
        print("dedup-store example: credits through RabbitMQ, each applied once.");
        print("Broker: %s. Database: %s.", broker, database);
        print("Every account begins with %d; amounts are in minor units.", Ledger.OPENING_BALANCE);
        print("");
        print(ROW, "event", "how it was sent", "what the store saw", "credits", "balance", "dead", "");
    }

    /** The dead letters of an event. */
    static List<Map<String, Object>> of(Sent sent, List<Map<String, Object>> dead) {
        return dead.stream()
                .filter(headers -> sent.event().equals(text(headers, Headers.EVENT_ID)))
                .toList();
    }

    /** Prints the table; whether all is as expected. */
    boolean rows(List<Sent> all, Observed observed, Jdbi jdbi, List<Map<String, Object>> dead, long left) {
        boolean asExpected = left == 0;
        for (Sent sent : all) {
            List<String> outcomes = observed.of(sent.event());
            Ledger.State state = Ledger.read(jdbi, sent.account());
            int letters = of(sent, dead).size();
            boolean ok =
                    outcomes.equals(sent.outcomes()) && state.equals(sent.expected()) && letters == sent.deadLetters();
            asExpected &= ok;
            print(
                    ROW,
                    sent.event(),
                    sent.how(),
                    outcomes.isEmpty() ? "nothing" : String.join(", ", outcomes),
                    state.credits(),
                    state.balance(),
                    letters,
                    ok ? "ok" : "NO");
        }
        deadLetters(dead);
        print("");
        print("Messages not acknowledged: %d.", left);
        print(asExpected ? "All as expected." : "NOT as expected.");
        out.flush();
        return asExpected;
    }

    private void deadLetters(List<Map<String, Object>> dead) {
        for (Map<String, Object> headers : dead) {
            print("");
            print("Dead letter of %s: %s", text(headers, Headers.EVENT_ID), text(headers, Headers.REASON));
            if (headers.containsKey(Headers.STORED_HASH)) {
                print("  stored   %s", text(headers, Headers.STORED_HASH));
                print("  received %s", text(headers, Headers.RECEIVED_HASH));
            }
        }
    }

    private static String text(Map<String, Object> headers, String name) {
        return String.valueOf(headers.get(name));
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
