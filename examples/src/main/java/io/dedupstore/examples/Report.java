package io.dedupstore.examples;

import io.dedupstore.Disposition;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the demo prints: plain ASCII, within 100 columns. */
final class Report {
    private static final int EVENT_WIDTH = 14;
    private static final String LINE = "  %-14s  %7s  %10s  %-17s  %-12s  %-11s  %10s  %s";
    private static final String ROW = "  %-40s  %-7s  %9s  %10s  %10s  %s";

    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    void head(int deliveries, String file, String database) {
        String count = deliveries == 1 ? "1 delivery" : deliveries + " deliveries";
        print("dedup-store demo: %s of %s, replayed without and with the claim.", count, file);
        print("Database: %s", database);
        print("Every account begins with %d; amounts are in minor units.", Accounts.OPENING_BALANCE);
    }

    void begin(Mode mode) {
        print("");
        print(
                mode == Mode.WITH_CLAIM
                        ? "WITH the claim: one transaction claims the event and makes the credit"
                        : "WITHOUT the claim: every delivery is taken for the first");
        print(LINE, "event", "attempt", "amount", "what happens", "outcome", "disposition", "balance", "");
    }

    void line(Observed observed) {
        Delivery delivery = observed.delivery();
        print(
                LINE,
                shown(delivery.event()),
                delivery.attempt(),
                delivery.amount(),
                delivery.then().shown(),
                shown(observed.answer().ending()),
                shown(observed.answer().disposition()),
                observed.state().balance(),
                verdict(observed.asExpected()));
        if (!observed.asExpected()) {
            expected(delivery.line(), observed.expected());
        }
    }

    private void expected(int line, Expected expected) {
        print(
                LINE,
                "",
                "",
                "",
                "line " + line + " expects",
                shown(expected.ending()),
                shown(expected.disposition()),
                expected.state().balance(),
                "");
    }

    /** Prints the closing table; whether every line was as expected. */
    boolean close(List<Replayed> replays) {
        print("");
        print(ROW, "", "", "committed", "", "", "");
        print(ROW, "case", "claim", "credits", "balance", "expected", "");
        List<String> titles = replays.get(0).titles();
        for (String title : titles) {
            for (Replayed replayed : replays) {
                boolean first = replayed.mode() == replays.get(0).mode();
                row(first ? title : "", replayed.mode(), replayed.last(title), replayed.asExpected(title));
            }
        }
        print("");
        replays.forEach(this::creditedTooOften);
        boolean asExpected = summary(replays);
        out.flush();
        return asExpected;
    }

    private void creditedTooOften(Replayed replayed) {
        print(
                replayed.mode() == Mode.WITH_CLAIM
                        ? "With the claim %d of %d accounts got more credits than there were events."
                        : "Without the claim %d of %d accounts got more credits than there were events.",
                replayed.creditedTooOften(),
                replayed.titles().size());
    }

    private void row(String title, Mode mode, Observed last, boolean asExpected) {
        print(
                ROW,
                title,
                mode.word(),
                last.state().credits(),
                last.state().balance(),
                last.expected().state().balance(),
                verdict(asExpected));
    }

    private boolean summary(List<Replayed> replays) {
        long deliveries = replays.stream().mapToLong(r -> r.lines().size()).sum();
        long asExpected = replays.stream()
                .flatMap(r -> r.lines().stream())
                .filter(Observed::asExpected)
                .count();
        if (asExpected == deliveries) {
            print("All %d deliveries were as expected.", deliveries);
        } else {
            print("%d of %d deliveries were NOT as expected.", deliveries - asExpected, deliveries);
        }
        return asExpected == deliveries;
    }

    private static String verdict(boolean asExpected) {
        return asExpected ? "ok" : "NO";
    }

    private static String shown(@Nullable Ending ending) {
        return ending == null ? "" : ending.shown();
    }

    /** A dead consumer tells the broker nothing. */
    private static String shown(@Nullable Disposition disposition) {
        return disposition == null ? "none" : disposition.name();
    }

    /** An id can hold anything; a terminal should not. */
    private static String shown(String event) {
        StringBuilder ascii = new StringBuilder();
        event.chars().forEach(c -> {
            if (c >= ' ' && c <= '~') {
                ascii.append((char) c);
            } else {
                ascii.append(String.format(Locale.ROOT, "\\u%04x", c));
            }
        });
        return ascii.length() <= EVENT_WIDTH ? ascii.toString() : ascii.substring(0, EVENT_WIDTH - 2) + "..";
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
