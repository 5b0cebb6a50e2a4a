package io.dedupstore.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Another process, running {@link Child}: it prints lines, and is told what to do next, or killed. */
final class ChildJvm implements AutoCloseable {
    private static final long PATIENCE_S = 60;
    private static final String END = "(end of output)";

    private final Process process;
    private final PrintStream in;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "child's output");
        reader.setDaemon(true);
        reader.start();
    }

    static ChildJvm start(String... args) throws IOException {
        return start(Redirect.INHERIT, List.of(), args);
    }

    static ChildJvm start(Redirect errors, List<String> options, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.add(Child.class.getName());
        command.addAll(List.of(args));
        return new ChildJvm(new ProcessBuilder(command).redirectError(errors).start());
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add(e.toString());
        }
        lines.add(END);
    }

    void await(String expected) throws InterruptedException {
        String line = lines.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (!expected.equals(line)) {
            throw new AssertionError("The child should have printed " + expected + ", it printed " + line);
        }
    }

    void tell(String line) {
        in.println(line);
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new AssertionError("The child cannot be killed");
        }
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError("The child did not end well: " + process + " " + lines);
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
