package io.dedupstore.brokers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * RocketMQ, name server and one broker, as a child process on this JVM's class path, with ports and a folder of its own.
 * It acknowledges a message when that is on the disk, creates topics by themselves, and delivers a message that was sent
 * back after one second.
 */
public final class RocketServer implements Broker {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final int nameServerPort = freePort();
    private final int brokerPort = freePortPair();
    private @Nullable Process process;

    private RocketServer(Path folder) {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /**
     * Starts one without any message.
     *
     * @return the server, which answers
     */
    public static RocketServer start() {
        try {
            RocketServer server = new RocketServer(Files.createTempDirectory("dedup-rocket"));
            server.restart();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the name server's host and port} */
    @Override
    public String address() {
        return "127.0.0.1:" + nameServerPort;
    }

    @Override
    public void kill() {
        Process started = Objects.requireNonNull(process);
        started.destroyForcibly();
        try {
            if (!started.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("RocketMQ did not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void restart() {
        try {
            process = new ProcessBuilder(command())
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            // it has a deadline of its own, after which it ends
            if (!RocketProcess.READY.equals(said.readLine())) {
                throw new IllegalStateException("RocketMQ did not start: " + Files.readString(log()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                // some of its files are there, whatever it is told
                "-Duser.home=" + folder,
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                RocketProcess.class.getName(),
                folder.toString(),
                Integer.toString(nameServerPort),
                Integer.toString(brokerPort));
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            kill();
        }
        try (Stream<Path> files = Files.exists(folder) ? Files.walk(folder) : Stream.empty()) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("Left behind: " + folder);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port whose second neighbour below is free too: the broker listens on both. */
    private static int freePortPair() {
        while (true) {
            int port = freePort();
            try (ServerSocket second = new ServerSocket(port - 2, 1, InetAddress.getLoopbackAddress())) {
                return second.getLocalPort() + 2;
            } catch (IOException e) {
                // in use: another one
            }
        }
    }
}
