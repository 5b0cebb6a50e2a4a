package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.servers.PgServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behind Debian's pgbouncer in transaction mode, with fewer server connections than clients (A7, B4). */
@Timeout(120)
class PgBouncerTest {
    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

    @TempDir
    static Path folder;

    private static Process pgbouncer;
    private static Scene scene;
    private static Scene direct;

    @BeforeAll
    static void start() throws Exception {
        if (!Files.isExecutable(PROGRAM)) {
            throw Servers.absent("pgbouncer");
        }
        direct = new Scene(Servers.POSTGRES.url()).ready();
        int server = URI.create(direct.url().substring("jdbc:".length())).getPort();
        int port = PgServer.freePort();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path users = Files.writeString(folder.resolve("users.txt"), "\"postgres\" \"\"\n");
        Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = 3
                ignore_startup_parameters = extra_float_digits
                """.formatted(server, port, users));
        List<String> command = new ArrayList<>();
        if (PgServer.isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        command.addAll(List.of(PROGRAM.toString(), settings.toString()));
        pgbouncer = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        // this release knows no prepared statements across transactions
        String url =
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable&prepareThreshold=0";
        Waiting.until("pgbouncer answers", () -> Waiting.answers(url));
        scene = new Scene(url, b -> b.lockWait(Duration.ofSeconds(20)));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (pgbouncer != null) {
            pgbouncer.destroy();
            pgbouncer.waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void c1_c2_manyClientsShareFewSessions() throws Exception {
        long cents = direct.cents();
        List<Future<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(Scene.async(() -> {
                for (int n = 0; n < 20; n++) {
                    Event event = Scene.event();
                    assertThat(scene.store().claimAndApply(event, Scene::credit))
                            .isInstanceOf(Outcome.Applied.class);
                    assertThat(scene.store().claimAndApply(event, Scene::credit))
                            .isInstanceOf(Outcome.Duplicate.class);
                }
                return 20;
            }));
        }
        int applied = 0;
        for (Future<Integer> client : clients) {
            applied += client.get(60, TimeUnit.SECONDS);
        }
        assertThat(direct.cents()).isEqualTo(cents + applied);
        requireUntouchedSessions();
    }

    @Test
    void w2_boundAndSettingsOfJoinedClaims() throws Exception {
        DedupStore impatient = new Scene(scene.url(), b -> b.lockWait(Duration.ofMillis(300))).store();
        Event event = Scene.event();
        try (Connection holder = scene.transaction();
                Connection waiter = scene.transaction();
                Statement statement = waiter.createStatement()) {
            assertThat(scene.store().claim(holder, event)).isInstanceOf(ClaimResult.Claimed.class);
            statement.execute("SET LOCAL lock_timeout = '9s'");
            assertThat(impatient.claim(waiter, Scene.event())).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(Scene.value(waiter, "SHOW lock_timeout")).isEqualTo("9s");
            assertThatThrownBy(() -> impatient.claim(waiter, event)).isInstanceOf(ClaimInFlightException.class);
            waiter.rollback();
            holder.commit();
            assertThat(impatient.claim(waiter, event)).isInstanceOf(ClaimResult.Duplicate.class);
            waiter.commit();
        }
        requireUntouchedSessions();
    }

    /** Asks through the proxy, more often than it has sessions. */
    private static void requireUntouchedSessions() throws Exception {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                Connection connection = scene.transaction();
                all.add(connection);
                assertThat(Scene.value(
                                connection,
                                "SELECT current_setting('lock_timeout') || current_setting('statement_timeout')"))
                        .isEqualTo("00");
            }
        } finally {
            for (Connection connection : all) {
                connection.rollback();
                connection.close();
            }
        }
    }
}
