package io.dedupstore.examples.credit;

import io.dedupstore.examples.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The drill's end of a consumer process, which is really killed. It ends with the drill. For one thread. */
public final class Child implements AutoCloseable {
    private static final int PATIENCE_S = 60;

    private final Process process;
    private final PrintStream toChild;
    private final Path log;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Child(Process process, Path log) {
        this.process = process;
        this.toChild = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.log = log;
        Thread reader = new Thread(this::read, "drill-child");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a consumer and waits until it consumes.
     *
     * @param main its class, which opens a {@link Console}
     * @param stopPoint where it stands still
     * @param told further lines for its console: by standard input, for every user of the machine can see arguments
     * @return the consumer
     */
    public static Child start(Class<?> main, StopPoint stopPoint, String... told) {
        try {
            Path log = Files.createTempFile("dedup-drill", ".log");
            Process process = new ProcessBuilder(ChildJvm.command(main))
                    .redirectError(log.toFile())
                    .start();
            Child child = new Child(process, log);
            child.toChild.println(stopPoint);
            List.of(told).forEach(child.toChild::println);
            child.await("ready");
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // it was killed
        }
    }

    /**
     * Waits until the consumer says something; what it says before is passed over.
     *
     * @param line the line
     */
    public void await(String line) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        try {
            String said;
            do {
                said = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (said == null) {
                    throw new IllegalStateException("The consumer did not say '" + line + "'; alive: "
                            + process.isAlive() + ". Its log: " + log());
                }
            } while (!said.equals(line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Looks without waiting.
     *
     * @param line a line
     * @return whether it has said it, after what was last waited for
     */
    public boolean hasSaid(String line) {
        return lines.contains(line);
    }

    /** Lets it go on from where it stands. */
    public void goOn() {
        toChild.println();
    }

    /** {@return what it has logged, standard error included} */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL, as the out-of-memory killer would end it; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The consumer process could not be killed.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
