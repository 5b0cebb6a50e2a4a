package io.dedupstore.examples.drill;

import io.dedupstore.servers.ClientMessages;
import io.dedupstore.servers.CommitCut;
import io.dedupstore.servers.EmbeddedServer;
import io.dedupstore.servers.FaultProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A database server of the drill's own, to which consumers connect through a bad network. */
abstract class ServerArena implements Arena {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedServer server;
    private final FaultProxy proxy;

    ServerArena(EmbeddedServer server, Supplier<ClientMessages> protocol) throws IOException {
        this.server = server;
        this.proxy = new FaultProxy(server.port(), protocol);
    }

    /**
     * {@return what the consumers add to the URL: a bound for answers, which ends one that hangs, and one for locks, which
     * the work's own statements need}
     */
    abstract String parameters();

    /** {@return how long a lock is held so that nobody waits long enough} */
    abstract Duration longerThanLocksAreWaitedFor();

    /** Ends sessions of others that have a transaction; by chance not all. */
    abstract int endSessions(Random random) throws SQLException;

    /** {@return the query that counts others' sessions} */
    abstract String countingSessions();

    @Override
    public final String consumersUrl() {
        return server.url().replace(":" + server.port() + "/", ":" + proxy.port() + "/") + parameters();
    }

    @Override
    public final String url() {
        return server.url();
    }

    @Override
    public final List<Fault> faults() {
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
                Fault.of("sessions terminated", random -> endSessions(random) > 0 ? 1 : 0),
                Fault.of("server killed and restarted", random -> {
                    server.kill();
                    Arena.pause(Arena.upTo(random, 300));
                    server.restart();
                    return 1;
                }),
                Arena.holdLock(url(), longerThanLocksAreWaitedFor()));
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

    /** A statement, past everything that is broken. */
    final int number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public final void settle() throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (number(countingSessions()) > 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Some sessions do not end.");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    @Override
    public final void close() throws IOException {
        try (proxy) {
            server.close();
        }
    }
}
