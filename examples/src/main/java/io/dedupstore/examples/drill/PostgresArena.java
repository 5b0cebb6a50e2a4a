package io.dedupstore.examples.drill;

import io.dedupstore.examples.UsageException;
import io.dedupstore.servers.CommitCut;
import io.dedupstore.servers.FaultProxy;
import io.dedupstore.servers.PgBinaries;
import io.dedupstore.servers.PgMessages;
import io.dedupstore.servers.PgServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL server of the drill's own, to which consumers connect through a bad network. */
final class PostgresArena implements Arena {
    private static final Duration HELD = Duration.ofMillis(700);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OTHERS =
            " FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

    private final PgServer server;
    private final FaultProxy proxy;

    PostgresArena() throws IOException, UsageException {
        this.server = PgServer.start(
                PgBinaries.bin()
                        .orElseThrow(
                                () -> new UsageException("The examples carry PostgreSQL for Linux on x86-64 only.")),
                "deadlock_timeout = 100ms");
        this.proxy = new FaultProxy(server.port(), PgMessages::new);
    }

    /** The socket timeout ends a reply that hangs; the lock timeout bounds the work's own statements. */
    @Override
    public String consumersUrl() {
        return "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres?user=postgres&sslmode=disable"
                + "&socketTimeout=2&connectTimeout=2&loginTimeout=2&prepareThreshold=3&options=-c%20lock_timeout=400";
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                cut("commit's request lost", CommitCut.REQUEST_LOST),
                cut("commit's reply lost", CommitCut.REPLY_LOST),
                cut("commit's reply hangs", CommitCut.REPLY_HANGS),
                cut("client cut while committing", CommitCut.LEFT_RUNNING),
                Fault.of("all connections reset", random -> proxy.resetAll() > 0 ? 1 : 0),
                Fault.of("network away", random -> {
                    proxy.refuse(true);
                    proxy.resetAll();
                    Arena.pause(Arena.upTo(random, 400));
                    proxy.refuse(false);
                    return 1;
                }),
                Fault.of("network slow", random -> {
                    proxy.delay(Arena.upTo(random, 30));
                    Arena.pause(Duration.ofMillis(300));
                    proxy.delay(Duration.ZERO);
                    return 1;
                }),
                Fault.of(
                        "back ends terminated",
                        random -> number("SELECT count(pg_terminate_backend(pid))" + OTHERS
                                                + " AND state <> 'idle' AND pid % 2 = " + random.nextInt(2))
                                        > 0
                                ? 1
                                : 0),
                Fault.of("server killed and restarted", random -> {
                    server.kill();
                    Arena.pause(Arena.upTo(random, 300));
                    restart();
                    return 1;
                }),
                Arena.holdLock(url(), HELD));
    }

    private Fault cut(String kind, CommitCut how) {
        return Fault.of(kind, random -> {
            int before = proxy.cuts();
            proxy.cutNextCommit(how);
            long deadline = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (proxy.cuts() == before && System.nanoTime() < deadline) {
                LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            }
            proxy.cutNoCommit();
            return proxy.cuts() == before ? 0 : 1;
        });
    }

    /** The killed server's back ends may hold its shared memory a moment longer. */
    private void restart() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                server.launch();
                return;
            } catch (IllegalStateException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        }
    }

    private int number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public void settle() throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (number("SELECT count(*)" + OTHERS) > 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Some back ends do not end.");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    @Override
    public void close() throws IOException {
        try (proxy) {
            server.close();
        }
    }
}
