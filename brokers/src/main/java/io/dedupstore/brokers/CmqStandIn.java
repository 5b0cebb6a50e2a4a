package io.dedupstore.brokers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A wire stand-in for TDMQ for CMQ, which is a service and no program that could be started: a small HTTP server in a JVM
 * of its own that follows the published documentation of CMQ's queue API. It is not the service, and shows nothing of how
 * that behaves where the documentation is silent.
 *
 * <p>Followed: signatures; sending, receiving and deleting, one by one and in batches; long polls; the visibility timeout; a
 * receipt handle works only until the next receive or {@code nextVisibleTime}; error codes; the messages outlive the
 * process. Left out: topics, throttling, retention, rewinding, dead-letter policies, the age of a request's timestamp.
 */
public final class CmqStandIn implements Broker {
    private static final int PATIENCE_S = 60;

    private final Path folder;
    private final String secretId = "id-" + UUID.randomUUID();
    private final String secretKey = UUID.randomUUID().toString();
    private int port;
    private @Nullable Process process;

    private CmqStandIn(Path folder) {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** {@return one without queues, which answers} */
    public static CmqStandIn start() {
        try {
            CmqStandIn standIn = new CmqStandIn(Files.createTempDirectory("dedup-cmq"));
            standIn.launch();
            return standIn;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void launch() throws IOException {
        Path log = folder.resolve("stand-in.log");
        Process launched =
                new ProcessBuilder(command()).redirectError(log.toFile()).start();
        process = launched;
        PrintStream in = new PrintStream(launched.getOutputStream(), true, StandardCharsets.UTF_8);
        // by standard input: every user of the machine can see arguments
        List.of(folder, port, secretId, secretKey).forEach(in::println);
        String said =
                new BufferedReader(new InputStreamReader(launched.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (said == null) {
            throw new IllegalStateException("The stand-in for CMQ did not start: " + Files.readString(log));
        }
        port = Integer.parseInt(said);
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                // else each answer waits for the client's delayed acknowledgement of the one before
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                CmqServer.class.getName());
    }

    /** {@return the endpoint to give to the SDK} */
    @Override
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    /** {@return the id of the one account} */
    public String secretId() {
        return secretId;
    }

    /** {@return with what its requests are signed} */
    public String secretKey() {
        return secretKey;
    }

    @Override
    public void kill() {
        Process killed = Objects.requireNonNull(process).destroyForcibly();
        try {
            if (!killed.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The stand-in for CMQ could not be killed.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void restart() {
        try {
            launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            System.err.println("Left behind: " + folder);
        }
    }

    /** {@return no key} */
    @Override
    public String toString() {
        return "CmqStandIn[" + address() + "]";
    }
}
