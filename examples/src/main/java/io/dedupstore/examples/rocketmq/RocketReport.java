package io.dedupstore.examples.rocketmq;

import io.dedupstore.examples.credit.Ledger;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.rocketmq.common.message.MessageExt;
import org.jdbi.v3.core.Jdbi;

/** What the example prints: plain ASCII, within 100 columns, no payload. Safe for several threads. */
final class RocketReport {
    private static final String LINE = "%4s %-5s %-19s %9s %-11s %7s %7s %s";
    private static final String ROW = "%4s %-5s %-31s %-5s %10s %7s %7s %11s  %s";

    private final PrintStream out;
    private final List<Sent> all;

    RocketReport(PrintStream out, List<Sent> all) {
        this.out = out;
        this.all = all;
    }

    void head(String broker, String database) {
        print("dedup-store example: credits through RocketMQ, and a consumer that fails.");
        print("Broker: %s. Database: %s.", broker, database);
        print("Every account begins with %d; amounts are in minor units.", Ledger.OPENING_BALANCE);
        print("");
        print(LINE, "case", "event", "msgId", "reconsume", "action", "credits", "balance", "return");
    }

    synchronized void line(Delivered delivered) {
        print(
                LINE,
                number(delivered.sent()),
                delivered.sent().event(),
                end(delivered.messageId()),
                delivered.reconsumed(),
                delivered.action(),
                delivered.state().credits(),
                delivered.state().balance(),
                delivered.returned());
    }

    /** An id begins with the producer's address and process, and can have 56 digits. */
    private static String end(String messageId) {
        return "..." + messageId.substring(Math.max(0, messageId.length() - 16));
    }

    private int number(Sent sent) {
        return all.indexOf(sent) + 1;
    }

    /** Prints the summary; whether all is as expected. */
    synchronized boolean summary(List<Delivered> deliveries, Jdbi jdbi, List<MessageExt> quarantined) {
        boolean asExpected = true;
        print("");
        print(ROW, "case", "event", "what happens", "claim", "deliveries", "credits", "balance", "quarantined", "");
        for (Sent sent : all) {
            long delivered =
                    deliveries.stream().filter(one -> one.sent().equals(sent)).count();
            Ledger.State state = Ledger.read(jdbi, sent.account());
            long aside = quarantined.stream()
                    .filter(message -> sent.event().equals(message.getKeys()))
                    .count();
            boolean ok = delivered == sent.deliveries() && state.equals(sent.expected()) && aside == sent.quarantined();
            asExpected &= ok;
            print(
                    ROW,
                    number(sent),
                    sent.event(),
                    sent.how(),
                    sent.claimed() ? "yes" : "no",
                    delivered,
                    state.credits(),
                    state.balance(),
                    aside,
                    ok ? "ok" : "NO");
        }
        quarantined.forEach(this::quarantined);
        print("");
        print(asExpected ? "All as expected: only without the claim was an event credited twice." : "NOT as expected.");
        out.flush();
        return asExpected;
    }

    private void quarantined(MessageExt message) {
        print("");
        print("In quarantine, %s: %s", message.getKeys(), message.getProperty(Quarantine.REASON));
        if (message.getProperty(Quarantine.STORED_HASH) != null) {
            print("  stored   %s", message.getProperty(Quarantine.STORED_HASH));
            print("  received %s", message.getProperty(Quarantine.RECEIVED_HASH));
        }
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
