package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Outcome;
import io.dedupstore.servers.ClientMessages;
import io.dedupstore.servers.CommitCut;
import io.dedupstore.servers.PgMessages;
import io.dedupstore.servers.rules.Bank;
import io.dedupstore.servers.rules.CommitCutRules;
import io.dedupstore.servers.rules.Concurrently;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits that are cut on PostgreSQL, in all the ways in which its driver sends them. */
@ParameterizedClass
@ValueSource(strings = {"", "&prepareThreshold=1", "&prepareThreshold=0", "&preferQueryMode=simple"})
class CommitCutTest extends CommitCutRules {
    private static final int LOCK = 42;
    private static final String SLOW = "slow";

    private final String mode;

    CommitCutTest(String mode) {
        this.mode = mode;
    }

    @Override
    protected String serverUrl() {
        return Servers.POSTGRES.url() + mode;
    }

    @Override
    protected ClientMessages protocol() {
        return new PgMessages();
    }

    @Override
    protected String waitsOneSecond() {
        return "&socketTimeout=1";
    }

    @Override
    protected String shortLockWait() {
        return "SET LOCAL lock_timeout = '200ms'";
    }

    @Override
    protected String sessionNumber() {
        return "SELECT pg_backend_pid()";
    }

    @Override
    protected void end(Handle handle, long number) {
        handle.execute("SELECT pg_terminate_backend(?)", (int) number);
    }

    @Override
    protected int waitingClaims(Handle handle) {
        try {
            return PostgresFixture.waitingClaims(handle.getConnection());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A pooled connection has prepared its COMMIT long ago: the cut one carries no text. */
    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST"})
    void r3_commitByTheNameOfAPreparedStatementFromAPool(CommitCut how) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(proxyUrl(""));
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            DedupStore store = patient(DedupStore.builder(pool)).build();
            for (int i = 0; i < 10; i++) {
                store.claimAndApply(Scene.event(), tx -> null);
            }
            proxy().cutNextCommit(how);
            assertAppliedByRun(store.claimAndApply(event, numbered()), how == CommitCut.REPLY_LOST ? 1 : 2);
            assertThat(proxy().cuts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void r3_oldSessionStillRunsItsCommitAndTheNewClaimWaitsForIt(End end) throws Exception {
        DedupStore store = cut("", b -> b);
        slowCommits();
        try (Connection gate = DriverManager.getConnection(serverUrl())) {
            gate.setAutoCommit(false);
            Scene.value(gate, "SELECT pg_advisory_xact_lock(" + LOCK + ")");
            proxy().cutNextCommit(CommitCut.LEFT_RUNNING);
            Future<Outcome<Integer>> consumer = Concurrently.run(() -> store.claimAndApply(event, slowOnce()));
            Concurrently.await("the new claim waits", () -> bank().with(this::waitingClaims) == 1);
            assertThat(proxy().cuts()).isEqualTo(1);
            assertThat(runs).as("the new claim waits before its work").hasValue(1);
            if (end == End.IS_TERMINATED) {
                Scene.value(
                        gate,
                        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = " + LOCK
                                + " AND NOT granted");
            } else {
                gate.rollback();
            }
            assertAppliedByRun(consumer.get(30, TimeUnit.SECONDS), end == End.COMMITS ? 1 : 2);
        }
    }

    /** A commit that stands at a deferred trigger until the advisory lock is free. */
    private void slowCommits() {
        bank().with(handle -> {
            handle.execute("CREATE TABLE IF NOT EXISTS " + SLOW + " (id bigint GENERATED ALWAYS AS IDENTITY)");
            handle.execute("CREATE OR REPLACE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$ BEGIN PERFORM pg_advisory_xact_lock(" + LOCK + "); RETURN NULL; END $$");
            handle.execute("DROP TRIGGER IF EXISTS slow_commit ON " + SLOW);
            return handle.execute("CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON " + SLOW
                    + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_lock()");
        });
    }

    private HandleCallback<Integer, RuntimeException> slowOnce() {
        return tx -> {
            Bank.credit(tx);
            int run = runs.incrementAndGet();
            if (run == 1) {
                tx.execute("INSERT INTO " + SLOW + " DEFAULT VALUES");
            }
            return run;
        };
    }
}
