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
            case MYSQL80 -> oldest();
            case MYSQL -> newest();
            case MARIADB -> mariaDb();
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

    private static String oldest() {
        return MysqlBinaries.mysql80()
                .map(binaries -> MysqlServer.start(binaries).url())
                .orElse(null);
    }

    private static String newest() {
        String given = System.getProperty("dedup.mysql.url");
        if (given != null) {
            return given;
        }
        if (containerEngine()) {
            return container("mysql", MYSQL_IMAGE);
        }
        String home = System.getProperty("dedup.mysql.home");
        return home == null
                ? null
                : MysqlServer.start(MysqlBinaries.mysql(Path.of(home))).url();
    }

    private static String mariaDb() {
        String given = System.getProperty("dedup.mariadb.url");
        if (given != null) {
            return given;
        }
        if (containerEngine()) {
            return container("mariadb", MARIADB_IMAGE);
        }
        return MysqlBinaries.mariaDb()
                .map(binaries -> MysqlServer.start(binaries).url())
                .orElse(null);
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
