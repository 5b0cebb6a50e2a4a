package io.dedupstore.postgres;

import io.dedupstore.servers.PgBinaries;
import io.dedupstore.servers.PgServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the tests' servers come from. {@code postgres}: {@code -Ddedup.postgres.url}, else a container engine, else the
 * binaries from Maven. {@code postgres15} and {@code pgbouncer}: Debian's packages. What is not to be had is reported, and
 * fails the build if {@code -Ddedup.require} names it.
 */
final class Servers {
    /** The newest PostgreSQL, for everything that needs no control over the server itself. */
    static final Servers POSTGRES = new Servers("postgres", Servers::newest);

    /** PostgreSQL 15 as Debian packs it. */
    static final Servers POSTGRES15 = new Servers("postgres15", Servers::debian);

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15/bin");
    private static final String IMAGE = "postgres:18";

    private final String title;
    private final Supplier<String> finder;
    private boolean sought;
    private String url;

    private Servers(String title, Supplier<String> finder) {
        this.title = title;
        this.finder = finder;
    }

    /** The server's URL, user included; started once per JVM. */
    synchronized String url() {
        if (!sought) {
            sought = true;
            url = finder.get();
        }
        if (url == null) {
            throw absent(title);
        }
        return url;
    }

    /** Fails, or ends the test as skipped with the reason. */
    static RuntimeException absent(String what) {
        String said = "No " + what + " to test with";
        if (Arrays.asList(System.getProperty("dedup.require", "").split(",")).contains(what)) {
            throw new AssertionError(said + ", but -Ddedup.require names it");
        }
        System.err.println("[dedup-store-postgres] NOT TESTED: " + said);
        return Assumptions.abort(said);
    }

    private static String debian() {
        return Files.isExecutable(DEBIAN.resolve("postgres"))
                ? PgServer.start(DEBIAN).url()
                : null;
    }

    private static String newest() {
        String given = System.getProperty("dedup.postgres.url");
        if (given != null) {
            return given;
        }
        return containerEngine() ? container() : PgServer.start(binaries()).url();
    }

    /** The binaries for tests that start, stop and kill servers of their own. */
    static Path binaries() {
        try {
            return PgBinaries.bin().orElseThrow(() -> absent(POSTGRES.title));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client on the path proves nothing; the engine has to answer. */
    private static boolean containerEngine() {
        try {
            Process info = new ProcessBuilder("docker", "info", "--format", "{{.ServerVersion}}")
                    .redirectErrorStream(true)
                    .start();
            return info.waitFor(10, TimeUnit.SECONDS) && info.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String container() {
        int port = PgServer.freePort();
        String name = "dedup-store-postgres-" + port;
        run(
                "docker",
                "run",
                "--rm",
                "-d",
                "--name",
                name,
                "-e",
                "POSTGRES_HOST_AUTH_METHOD=trust",
                "-p",
                "127.0.0.1:" + port + ":5432",
                IMAGE);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> run("docker", "rm", "-f", name)));
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable";
        Waiting.until("the container is ready", () -> Waiting.answers(url));
        return url;
    }

    private static void run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            byte[] said = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(new String(said, java.nio.charset.StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
