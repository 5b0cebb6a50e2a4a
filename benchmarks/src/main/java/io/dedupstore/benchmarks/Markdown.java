package io.dedupstore.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The table of ratios: each figure in microseconds, and in relation to the bare transaction of as many threads. */
final class Markdown {
    private static final String FRESH = "FreshClaim.owned";

    private final StringBuilder text = new StringBuilder();
    private final List<Row> rows;

    Markdown(Head head, List<Row> rows, List<Targets.Line> targets) {
        this.rows = rows;
        line(head.date() + ", " + head.machine().get("cores") + " cores, "
                + head.machine().get("Java") + ", profile " + head.profile() + ", arguments `" + head.command() + "`");
        head.databases().forEach((database, settings) -> line("- " + database + ": " + settings));
        head.roundTrips().forEach((database, counts) -> line("- " + database + ", round trips: " + counts));
        targets(targets);
        times();
        others();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void targets(List<Targets.Line> targets) {
        if (targets.isEmpty()) {
            return;
        }
        line("\n| target | measured | bound | |\n|---|--:|--:|---|");
        for (Targets.Line target : targets) {
            line(String.format(
                    Locale.ROOT,
                    "| %s: %s | %.2f | %s | %s |",
                    target.database(),
                    target.what(),
                    target.measured(),
                    target.bound(),
                    target.met() ? "met" : "missed"));
        }
    }

    private void times() {
        Map<String, List<Row>> tables = rows.stream()
                .filter(row -> row.unit().equals("us/op"))
                .collect(Collectors.groupingBy(
                        row -> row.database() + ", threads " + row.threads(), TreeMap::new, Collectors.toList()));
        tables.forEach((title, table) -> {
            line("\n" + title + "\n");
            line("| | us | ± | to bare | to by hand | bytes allocated | client's CPU us |");
            line("|---|--:|--:|--:|--:|--:|--:|");
            for (Row row : table) {
                line(String.format(
                        Locale.ROOT,
                        "| %s %s | %.0f | %.0f | %s | %s | %.0f | %.0f |",
                        row.benchmark(),
                        row.contender(),
                        row.score(),
                        row.error(),
                        ratio(row, table, FRESH, Contender.BARE),
                        ratio(row, table, row.benchmark(), Contender.BY_HAND),
                        row.allocated(),
                        row.cpu()));
            }
        });
    }

    private static String ratio(Row row, List<Row> table, String benchmark, Contender to) {
        return table.stream()
                .filter(other -> other.benchmark().equals(benchmark) && other.contender() == to)
                .map(other -> String.format(Locale.ROOT, "%.2f", row.score() / other.score()))
                .findFirst()
                .orElse("");
    }

    private void others() {
        List<Row> others =
                rows.stream().filter(row -> !row.unit().equals("us/op")).toList();
        if (others.isEmpty()) {
            return;
        }
        line("\n| | threads | score | ± | unit |\n|---|--:|--:|--:|---|");
        for (Row row : others) {
            line(String.format(
                    Locale.ROOT,
                    "| %s %s %s | %d | %.1f | %.1f | %s |",
                    row.database(),
                    row.benchmark(),
                    row.contender(),
                    row.threads(),
                    row.score(),
                    row.error(),
                    row.unit()));
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
