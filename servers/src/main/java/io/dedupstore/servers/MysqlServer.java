package io.dedupstore.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL or MariaDB server as a child process, on a port and a data folder of its own, with the server's own defaults for
 * durability, isolation and lock waits.
 */
public final class MysqlServer implements EmbeddedServer {
    /** The database that it has. */
    public static final String DATABASE = "dedup";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MysqlBinaries binaries;
    private final Path folder;
    private final List<String> settings;
    private final int port = PgServer.freePort();
    private @Nullable Process process;

    private MysqlServer(MysqlBinaries binaries, Path folder, List<String> settings) {
        this.binaries = binaries;
        this.folder = folder;
        this.settings = settings;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /**
     * Starts a new server.
     *
     * @param binaries its programs
     * @param settings options for its command line
     * @return the server, which answers
     */
    public static MysqlServer start(MysqlBinaries binaries, String... settings) {
        try {
            MysqlServer server = new MysqlServer(binaries, Files.createTempDirectory("dedup-my"), List.of(settings));
            server.initialise();
            server.launch();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int port() {
        return port;
    }

    /** {@return the URL of its one database} */
    @Override
    public String url() {
        return "jdbc:" + binaries.scheme() + "://127.0.0.1:" + port + "/" + DATABASE + "?user=root&sslMode="
                + (binaries.scheme().equals("mysql") ? "DISABLED" : "disable");
    }

    private void initialise() throws IOException {
        Process initialising = command(binaries.initialise())
                .redirectInput(binaries.bootstrap(folder).toFile())
                .start();
        await(initialising);
        if (initialising.exitValue() != 0) {
            throw new IllegalStateException("The data folder could not be made: " + log());
        }
    }

    private void launch() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + folder.resolve("socket"),
                // neither the JVM's zone nor UTC
                "--default-time-zone=+05:45",
                "--max-connections=300"));
        arguments.addAll(settings);
        process = command(arguments).start();
        awaitReady();
    }

    private ProcessBuilder command(List<String> arguments) {
        List<String> command = new ArrayList<>(binaries.command());
        command.add("--datadir=" + folder.resolve("data"));
        if (PgServer.isRoot()) {
            command.add("--user=root"); // else it refuses
        }
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(binaries.environment());
        return builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("server.log").toFile()));
    }

    private void awaitReady() {
        String plain = url().replace("/" + DATABASE + "?", "/?");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Connection connection = DriverManager.getConnection(plain);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE IF NOT EXISTS " + DATABASE);
                return;
            } catch (SQLException e) {
                if (!Objects.requireNonNull(process).isAlive() || System.nanoTime() > deadline) {
                    throw new IllegalStateException("The server did not start: " + log(), e);
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    /** {@return what it has printed} */
    public String log() {
        try {
            return Files.readString(folder.resolve("server.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void kill() {
        await(Objects.requireNonNull(process).destroyForcibly());
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
        if (process != null && process.isAlive()) {
            // nothing in it is needed any more, and an orderly shutdown takes seconds
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

    private static void await(Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The server did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
