package io.dedupstore.mysql;

import io.dedupstore.servers.MysqlBinaries;
import io.dedupstore.servers.MysqlServer;
import io.dedupstore.servers.PgServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the tests' servers come from. {@code mysql80}: 8.0.12 from Maven, always. {@code mysql}, the newest:
 * {@code -Ddedup.mysql.url}, else a container engine, else the folder {@code -Ddedup.mysql.home}, which .ci/mysql-server
 * fills. {@code mariadb}: {@code -Ddedup.mariadb.url}, else a container engine, else Maven's profile {@code mariadb}. What
 * is not to be had is reported, and fails the build if {@code -Ddedup.require} names it.
 */
enum Servers {
    /** MySQL 8.0.12, the oldest that is supported. */
    MYSQL80("mysql80"),
    /** The newest MySQL. */
    MYSQL("mysql"),
    /** MariaDB, by its own driver. */
    MARIADB("mariadb"),
    /** The same MariaDB, by MySQL's driver. */
    MARIADB_BY_CONNECTOR_J("mariadb");

    private static final String MYSQL_IMAGE = "mysql:9.7";
    private static final String MARIADB_IMAGE = "mariadb:11.4";
    private static final Map<Servers, Optional<String>> URLS = new EnumMap<>(Servers.class);

    private final String title;

    Servers(String title) {
        this.title = title;
    }

    /** The server's URL, user included; started once per JVM. */
    String url() {
        synchronized (URLS) {
            if (!URLS.containsKey(this)) {
                URLS.put(this, Optional.ofNullable(find()));
            }
            return URLS.get(this).orElseThrow(() -> absent(title));
        }
    }

    private String find() {
        return switch (this) {
            case MYSQL80 -> ofOurOwn();
            case MYSQL -> find(MYSQL_IMAGE);
            case MARIADB -> find(MARIADB_IMAGE);
            case MARIADB_BY_CONNECTOR_J -> throughConnectorJ(MARIADB.url());
        };
    }

    boolean isMariaDb() {
        return title.equals("mariadb");
    }

    /** Fails, or ends the test as skipped with the reason. */
    static RuntimeException absent(String what) {
        String said = "No " + what + " to test with";
        if (Arrays.asList(System.getProperty("dedup.require", "").split(",")).contains(what)) {
            throw new AssertionError(said + ", but -Ddedup.require names it");
        }
        System.err.println("[dedup-store-mysql] NOT TESTED: " + said);
        return Assumptions.abort(said);
    }

    /** The programs for tests that start and kill servers of their own. */
    MysqlBinaries binaries() {
        return findBinaries().orElseThrow(() -> absent(title));
    }

    private Optional<MysqlBinaries> findBinaries() {
        return switch (this) {
            case MYSQL80 -> MysqlBinaries.mysql80();
            case MYSQL ->
                Optional.ofNullable(System.getProperty("dedup.mysql.home"))
                        .map(home -> MysqlBinaries.mysql(Path.of(home)));
            case MARIADB, MARIADB_BY_CONNECTOR_J -> MysqlBinaries.mariaDb();
        };
    }

    /** A server elsewhere, else one of our own. */
    private String find(String image) {
        String given = System.getProperty("dedup." + title + ".url");
        if (given != null) {
            return given;
        }
        if (containerEngine()) {
            return container(title, image);
        }
        return ofOurOwn();
    }

    private String ofOurOwn() {
        return findBinaries().map(binaries -> MysqlServer.start(binaries).url()).orElse(null);
    }

    private static String throughConnectorJ(String url) {
        return url.replace("jdbc:mariadb:", "jdbc:mysql:").replace("sslMode=disable", "sslMode=DISABLED");
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

    private static String container(String scheme, String image) {
        int port = PgServer.freePort();
        String name = "dedup-store-" + scheme + "-" + port;
        MysqlBinaries.run(
                "docker",
                "run",
                "--rm",
                "-d",
                "--name",
                name,
                "-e",
                "MYSQL_ALLOW_EMPTY_PASSWORD=1",
                "-e",
                "MYSQL_DATABASE=" + MysqlServer.DATABASE,
                "-p",
                "127.0.0.1:" + port + ":3306",
                image,
                "--default-time-zone=+05:45",
                "--max-connections=300");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> MysqlBinaries.run("docker", "rm", "-f", name)));
        String url = "jdbc:" + scheme + "://127.0.0.1:" + port + "/" + MysqlServer.DATABASE + "?user=root&sslMode="
                + (scheme.equals("mysql") ? "DISABLED&allowPublicKeyRetrieval=true" : "disable");
        Waiting.until("the container is ready", () -> Waiting.answers(url));
        return url;
    }
}
