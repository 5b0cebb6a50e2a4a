package io.dedupstore.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/** The results as JMH's JSON, as a table in Markdown, and as one page that needs nothing else. */
final class Report {
    private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

    private final Head head;
    private final Collection<RunResult> results;

    Report(Head head, Collection<RunResult> results) {
        this.head = head;
        this.results = results;
    }

    /** Writes into a folder, which is made if need be, and returns the page. */
    Path writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        String json = json();
        Files.writeString(folder.resolve("results.json"), json);
        List<Row> rows = results.stream().map(Row::of).toList();
        List<Targets.Line> targets = Targets.of(rows);
        Files.writeString(folder.resolve("report.md"), new Markdown(head, rows, targets).toString());
        return Files.writeString(folder.resolve("report.html"), page(json, targets));
    }

    private String json() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        out.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private String page(String json, List<Targets.Line> targets) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        return resource("report.html")
                .replace("/*charts*/", resource(CHARTS))
                .replace("/*script*/", resource("report.js"))
                .replace("/*head*/null", inScript(mapper.writeValueAsString(head)))
                .replace("/*targets*/null", inScript(mapper.writeValueAsString(targets)))
                .replace("/*results*/null", inScript(json));
    }

    /** Nothing in a script element may look like its end. */
    private static String inScript(String json) {
        return json.replace("</", "<\\/");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Report.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
