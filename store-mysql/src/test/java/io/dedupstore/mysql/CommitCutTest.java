package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Outcome;
import io.dedupstore.servers.ClientMessages;
import io.dedupstore.servers.CommitCut;
import io.dedupstore.servers.MysqlMessages;
import io.dedupstore.servers.rules.Bank;
import io.dedupstore.servers.rules.CommitCutRules;
import io.dedupstore.servers.rules.Concurrently;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Commits that are cut on MySQL and MariaDB, by both drivers, with settings as recommended and without. */
@ParameterizedClass
@MethodSource("serversAndSettings")
class CommitCutTest extends CommitCutRules {
    private final Servers server;
    private final Settings settings;

    CommitCutTest(Servers server, Settings settings) {
        this.server = server;
        this.settings = settings;
    }

    /** What is added to the URL. */
    enum Settings {
        NONE,
        RECOMMENDED,
        SERVER_PREPARED
    }

    static Stream<Arguments> serversAndSettings() {
        return Stream.concat(
                Arrays.stream(Servers.values()).map(server -> Arguments.of(server, Settings.RECOMMENDED)),
                Stream.of(
                        Arguments.of(Servers.MYSQL80, Settings.NONE),
                        Arguments.of(Servers.MYSQL80, Settings.SERVER_PREPARED)));
    }

    @Override
    protected String serverUrl() {
        return switch (settings) {
            case NONE -> server.url();
            case RECOMMENDED -> Urls.recommended(server.url());
            case SERVER_PREPARED -> server.url() + "&useServerPrepStmts=true&allowMultiQueries=true";
        };
    }

    @Override
    protected ClientMessages protocol() {
        return new MysqlMessages();
    }

    @Override
    protected String waitsOneSecond() {
        return "&socketTimeout=1000";
    }

    @Override
    protected String shortLockWait() {
        return "SET SESSION innodb_lock_wait_timeout = 1";
    }

    @Override
    protected String sessionNumber() {
        return "SELECT CONNECTION_ID()";
    }

    @Override
    protected void end(Handle handle, long number) {
        handle.execute("KILL " + number);
    }

    @Override
    protected int waitingClaims(Handle handle) {
        try {
            return MysqlFixture.waitingClaims(handle.getConnection());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A commit that stands at the global read lock, as during a backup, when its client goes. */
    @ParameterizedTest
    @EnumSource(End.class)
    void r3_serverStillRunsTheCommitOfAClientThatHasGone(End end) throws Exception {
        DedupStore store = cut("", b -> b);
        AtomicLong first = new AtomicLong();
        try (Connection backup = DriverManager.getConnection(serverUrl());
                Statement statement = backup.createStatement()) {
            proxy().cutNextCommit(CommitCut.LEFT_RUNNING);
            Future<Outcome<Integer>> consumer = Concurrently.run(() -> store.claimAndApply(event, tx -> {
                Bank.credit(tx);
                if (first.get() == 0) {
                    first.set(tx.select(sessionNumber()).mapTo(Long.class).one());
                    statement.execute("FLUSH TABLES WITH READ LOCK");
                }
                return runs.incrementAndGet();
            }));
            Concurrently.await("the old commit and the new claim wait", () -> waitingForTheBackup() == 2);
            assertThat(runs).hasValue(1);
            if (end == End.IS_TERMINATED) {
                statement.execute("KILL " + first.get());
                Concurrently.await("the old commit has ended", () -> waitingForTheBackup() == 1);
            }
            statement.execute("UNLOCK TABLES");
            assertAppliedByRun(consumer.get(30, TimeUnit.SECONDS), end == End.COMMITS ? 1 : 2);
        }
    }

    private int waitingForTheBackup() {
        return bank().with(handle -> handle.select("SELECT count(*) FROM information_schema.processlist"
                        + " WHERE state IN ('Waiting for commit lock', 'Waiting for global read lock',"
                        + " 'Waiting for backup lock')")
                .mapTo(Integer.class)
                .one());
    }
}
