package io.dedupstore.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server as a child process, on a port and a data folder of its own, with the server's own defaults for
 * durability: fsync and synchronous_commit on. PostgreSQL refuses to run as root, so root starts it as nobody.
 */
public final class PgServer implements EmbeddedServer {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NOBODY = "65534";

    private final Path bin;
    private final Path data;
    private final int port;
    private @Nullable Process process;

    private PgServer(Path bin, Path data, int port) {
        this.bin = bin;
        this.data = data;
        this.port = port;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /**
     * Creates a cluster and starts it.
     *
     * @param bin the folder of the server's programs
     * @param settings lines for its configuration
     * @return the server, which answers
     */
    public static PgServer start(Path bin, String... settings) {
        PgServer server = create(bin);
        server.configure(settings);
        server.launch();
        return server;
    }

    /**
     * Creates a cluster, which is not started yet.
     *
     * @param bin the folder of the server's programs
     * @return the server
     */
    public static PgServer create(Path bin) {
        PgServer server = new PgServer(bin, newFolder(), freePort());
        server.run(
                bin.resolve("initdb").toString(),
                "-D",
                server.data.toString(),
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "-N");
        server.configure(
                "port=" + server.port,
                "listen_addresses='127.0.0.1'",
                "unix_socket_directories=''",
                // neither the JVM's zone nor UTC
                "timezone='Asia/Kathmandu'",
                "wal_level=replica");
        return server;
    }

    /** {@return a standby of this server, which must not have been started yet: its files are copied cold} */
    public PgServer standby() {
        PgServer standby = new PgServer(bin, newFolder(), freePort());
        standby.run("cp", "-a", data + "/.", standby.data.toString());
        standby.configure("port=" + standby.port, "primary_conninfo='host=127.0.0.1 port=" + port + " user=postgres'");
        standby.run("touch", standby.data.resolve("standby.signal").toString());
        return standby;
    }

    @Override
    public int port() {
        return port;
    }

    /** {@return the URL of its database {@code postgres}} */
    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable";
    }

    /**
     * Adds to its configuration.
     *
     * @param settings lines; they count from the next start on
     */
    public void configure(String... settings) {
        try {
            Path file = data.resolve("postgresql.conf");
            Files.writeString(file, Files.readString(file) + String.join("\n", settings) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it and waits until it answers. */
    public void launch() {
        try {
            ProcessBuilder command = command(bin.resolve("postgres").toString(), "-D", data.toString());
            command.redirectErrorStream(true)
                    .redirectOutput(data.resolve("server.log").toFile());
            process = command.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Connection connection = DriverManager.getConnection(url());
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
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
            return Files.readString(data.resolve("server.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only its own postmaster: the back ends follow it. */
    @Override
    public void kill() {
        await(Objects.requireNonNull(process).destroyForcibly());
    }

    /** The killed server's back ends may hold its shared memory a moment longer. */
    @Override
    public void restart() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                launch();
                return;
            } catch (IllegalStateException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            // SIGTERM is the smart shutdown, which waits for clients; SIGINT the fast one
            run("kill", "-INT", Long.toString(process.pid()));
            await(process);
        }
        delete();
    }

    private void delete() {
        try (Stream<Path> files = Files.exists(data) ? Files.walk(data) : Stream.empty()) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("Left behind: " + data);
        }
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The server did not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a program as the server's user, to its end. */
    private void run(String... program) {
        try {
            Path output = Files.createTempFile("dedup-pg", ".out");
            Process run = command(program)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            await(run);
            String said = Files.readString(output);
            Files.delete(output);
            if (run.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", program) + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProcessBuilder command(String... program) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            Collections.addAll(command, "setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
        }
        Collections.addAll(command, program);
        return new ProcessBuilder(command).directory(Path.of("/").toFile());
    }

    /** {@return whether this process is root, as whom no server would run} */
    public static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static Path newFolder() {
        try {
            Path folder = Files.createTempDirectory("dedup-pg");
            if (isRoot()) {
                Files.setAttribute(folder, "unix:uid", Integer.parseInt(NOBODY));
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return a port that is free now} */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
