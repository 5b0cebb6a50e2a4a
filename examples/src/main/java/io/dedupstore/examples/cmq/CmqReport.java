package io.dedupstore.examples.cmq;

import io.dedupstore.examples.credit.Ledger;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

/** What the example prints: plain ASCII, within 100 columns, no payload. */
final class CmqReport {
    private static final String ROW = "  %-10s %-27s %-20s %7s %8s %10s  %s";

    private final PrintStream out;

    CmqReport(PrintStream out) {
        this.out = out;
    }

    void head(String broker, String database) {
        print("dedup-store example: credits through CMQ, each applied once.");
        print("Broker:   %s.", broker);
        print("Database: %s.", database);
        print("Every account begins with %d; amounts are in minor units.", Ledger.OPENING_BALANCE);
        print("");
        print(ROW, "event", "how it was sent", "what the store saw", "credits", "balance", "put aside", "");
    }

    /** How many of the letters are there for this event's reason. */
    static long of(Sent sent, List<Map<String, String>> letters) {
        return sent.reason().isEmpty()
                ? 0
                : letters.stream()
                        .filter(letter -> text(letter, DeadLetter.REASON).startsWith(sent.reason()))
                        .count();
    }

    /** Prints the table; whether all is as expected. */
    boolean rows(List<Sent> all, Observed observed, Jdbi jdbi, List<Map<String, String>> letters) {
        long lettersExpected =
                all.stream().filter(sent -> !sent.reason().isEmpty()).count();
        boolean asExpected = letters.size() == lettersExpected;
        for (Sent sent : all) {
            List<String> outcomes = observed.of(sent.event());
            Ledger.State state = Ledger.read(jdbi, sent.account());
            long aside = of(sent, letters);
            boolean ok = outcomes.equals(sent.outcomes())
                    && state.equals(sent.expected())
                    && aside == (sent.reason().isEmpty() ? 0 : 1);
            asExpected &= ok;
            print(
                    ROW,
                    sent.event(),
                    sent.how(),
                    outcomes.isEmpty() ? "nothing" : String.join(", ", outcomes),
                    state.credits(),
                    state.balance(),
                    aside,
                    ok ? "ok" : "NO");
        }
        letters.forEach(this::letter);
        print("");
        print(asExpected ? "All as expected." : "NOT as expected.");
        out.flush();
        return asExpected;
    }

    private void letter(Map<String, String> letter) {
        print("");
        print("Put aside: %s", text(letter, DeadLetter.REASON));
        if (letter.containsKey(DeadLetter.STORED_HASH)) {
            print("  stored   %s", text(letter, DeadLetter.STORED_HASH));
            print("  received %s", text(letter, DeadLetter.RECEIVED_HASH));
        }
    }

    private static String text(Map<String, String> letter, String name) {
        return String.valueOf(letter.get(name));
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
