package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.CommitInDoubtException;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.RetryPolicy;
import io.dedupstore.servers.CommitCut;
import io.dedupstore.servers.FaultProxy;
import io.dedupstore.servers.PgMessages;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.HandleCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R3 for real: the network is cut while the server commits. The consumer goes through the proxy, the test does not. */
@Timeout(120)
class CommitCutTest {
    private static final int LOCK = 42;
    private static final String SLOW = "slow";

    private final AtomicInteger runs = new AtomicInteger();
    private final Event event = Scene.event();
    private Scene scene;
    private FaultProxy proxy;
    private long centsBefore;

    @BeforeEach
    void prepare() throws IOException {
        scene = new Scene(Servers.POSTGRES.url()).ready();
        proxy = new FaultProxy(
                URI.create(scene.url().substring("jdbc:".length())).getPort(), PgMessages::new);
        centsBefore = scene.cents();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    private String url(String parameters) {
        return scene.url().replaceFirst(":\\d+/", ":" + proxy.port() + "/") + parameters;
    }

    private static DedupStore.Builder patient(DedupStore.Builder builder) {
        return builder.lockWait(Duration.ofSeconds(20))
                .retry(RetryPolicy.none()
                        .withPauses(Duration.ofMillis(1), Duration.ofMillis(20))
                        .withDeadline(Duration.ofSeconds(40)));
    }

    private DedupStore cut(String parameters, UnaryOperator<DedupStore.Builder> settings) {
        DedupStore store = settings.apply(patient(DedupStore.builder(Scene.source(url(parameters)))))
                .build();
        store.schema().validate();
        return store;
    }

    /** Acts when the store is about to try again. */
    private static UnaryOperator<DedupStore.Builder> onRetry(java.util.function.IntConsumer action) {
        return builder -> builder.listener(new DedupListener() {
            @Override
            public void retry(Event failed, int attempts, Duration pause, Throwable failure) {
                action.accept(attempts);
            }
        });
    }

    /** Credits, and returns the number of the run. */
    private HandleCallback<Integer, RuntimeException> numbered() {
        return tx -> {
            Scene.credit(tx);
            return runs.incrementAndGet();
        };
    }

    private void assertAppliedByRun(Outcome<Integer> outcome, int run) {
        assertThat(outcome)
                .isEqualTo(new Outcome.Applied<>(
                        scene.store().find(event.key()).orElseThrow().claimId(), run));
        assertThat(scene.cents()).isEqualTo(centsBefore + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&prepareThreshold=1", "&prepareThreshold=0", "&preferQueryMode=simple"})
    void r3_lostReplyIsAppliedWithTheFirstRunsResult(String mode) {
        DedupStore store = cut(mode, b -> b);
        proxy.cutNextCommit(CommitCut.REPLY_LOST);
        assertAppliedByRun(store.claimAndApply(event, numbered()), 1);
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&prepareThreshold=1", "&prepareThreshold=0", "&preferQueryMode=simple"})
    void r3_lostRequestRunsAgain(String mode) {
        DedupStore store = cut(mode, b -> b);
        proxy.cutNextCommit(CommitCut.REQUEST_LOST);
        assertAppliedByRun(store.claimAndApply(event, numbered()), 2);
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void r3_replyThatHangsUntilTheSocketTimeout() {
        DedupStore store = cut("&socketTimeout=1", b -> b);
        proxy.cutNextCommit(CommitCut.REPLY_HANGS);
        assertAppliedByRun(store.claimAndApply(event, numbered()), 1);
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    /** A pooled connection has prepared its COMMIT long ago: the cut one carries no text. */
    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST"})
    void r3_commitByTheNameOfAPreparedStatementFromAPool(CommitCut how) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url("&prepareThreshold=1"));
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            DedupStore store = patient(DedupStore.builder(pool)).build();
            for (int i = 0; i < 10; i++) {
                store.claimAndApply(Scene.event(), numbered());
            }
            centsBefore = scene.cents();
            runs.set(0);
            proxy.cutNextCommit(how);
            assertAppliedByRun(store.claimAndApply(event, numbered()), how == CommitCut.REPLY_LOST ? 1 : 2);
            assertThat(proxy.cuts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST"})
    void r3_newConnectionsAreRefusedForAWhile(CommitCut how) {
        AtomicInteger retries = new AtomicInteger();
        DedupStore store = cut("", onRetry(attempts -> {
            retries.set(attempts);
            proxy.refuse(attempts < 5);
        }));
        proxy.cutNextCommit(how);
        assertAppliedByRun(store.claimAndApply(event, numbered()), how == CommitCut.REPLY_LOST ? 1 : 2);
        assertThat(retries).hasValue(5);
    }

    @ParameterizedTest
    @EnumSource(
            value = CommitCut.class,
            names = {"REPLY_LOST", "REQUEST_LOST"})
    void r3_nothingReachableIsACommitInDoubtAndTheRedeliveryFindsOut(CommitCut how) {
        DedupStore store = cut(
                "",
                b -> onRetry(attempts -> proxy.refuse(true))
                        .apply(b.retry(RetryPolicy.defaults().withDeadline(Duration.ofMillis(300)))));
        proxy.cutNextCommit(how);
        assertThatThrownBy(() -> store.claimAndApply(event, numbered()))
                .isInstanceOfSatisfying(
                        CommitInDoubtException.class,
                        doubt -> assertThat(doubt.disposition()).isEqualTo(Disposition.RETRY));
        assertThat(runs).hasValue(1);
        proxy.refuse(false);
        assertThat(store.claimAndApply(event.redelivered(true), numbered()))
                .isInstanceOf(how == CommitCut.REPLY_LOST ? Outcome.Duplicate.class : Outcome.Applied.class);
        assertThat(scene.cents()).isEqualTo(centsBefore + 1);
    }

    @Test
    void r3_anotherConsumerAppliedItMeanwhile() {
        DedupStore store = cut("", onRetry(attempts -> scene.store().claimAndApply(event, Scene::credit)));
        proxy.cutNextCommit(CommitCut.REQUEST_LOST);
        assertThat(store.claimAndApply(event, numbered())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(scene.cents()).isEqualTo(centsBefore + 1);
    }

    @Test
    void c3_anotherPayloadWasAppliedMeanwhile() {
        DedupStore store =
                cut("", onRetry(attempts -> scene.store().claimAndApply(Scene.altered(event), Scene::credit)));
        proxy.cutNextCommit(CommitCut.REQUEST_LOST);
        assertThatThrownBy(() -> store.claimAndApply(event, numbered())).isInstanceOf(PayloadConflictException.class);
        assertThat(scene.cents()).isEqualTo(centsBefore + 1);
    }

    /** How the commit ends that still runs when its client has gone. */
    enum End {
        COMMITS,
        IS_TERMINATED
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void r3_oldSessionStillRunsItsCommitAndTheNewClaimWaitsForIt(End end) throws Exception {
        DedupStore store = cut("", b -> b);
        slowCommits();
        try (Connection gate = scene.transaction()) {
            Scene.value(gate, "SELECT pg_advisory_xact_lock(" + LOCK + ")");
            proxy.cutNextCommit(CommitCut.LEFT_RUNNING);
            Future<Outcome<Integer>> consumer = Scene.async(() -> store.claimAndApply(event, slowOnce()));
            scene.awaitWaiting(1);
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(runs).as("the new claim waits before its work").hasValue(1);
            if (end == End.IS_TERMINATED) {
                scene.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                        + " AND objid = " + LOCK + " AND NOT granted");
            } else {
                gate.rollback();
            }
            assertAppliedByRun(consumer.get(30, TimeUnit.SECONDS), end == End.COMMITS ? 1 : 2);
        }
    }

    @Test
    void r3_oldSessionThatCommitsOnlyAfterTheDeadlineStaysInDoubt() throws Exception {
        DedupStore store = cut(
                "",
                b -> b.lockWait(Duration.ofMillis(100))
                        .retry(RetryPolicy.defaults().withDeadline(Duration.ofMillis(500))));
        slowCommits();
        try (Connection gate = scene.transaction()) {
            Scene.value(gate, "SELECT pg_advisory_xact_lock(" + LOCK + ")");
            proxy.cutNextCommit(CommitCut.LEFT_RUNNING);
            assertThatThrownBy(() -> store.claimAndApply(event, slowOnce())).isInstanceOf(CommitInDoubtException.class);
            gate.rollback();
        }
        assertThat(scene.store().claimAndApply(event, numbered()))
                .as("the old commit, or the wait for it, decides")
                .isInstanceOf(Outcome.Duplicate.class);
        assertThat(scene.cents()).isEqualTo(centsBefore + 1);
    }

    /** A commit that stands at a deferred trigger until the advisory lock is free. */
    private void slowCommits() {
        scene.execute("CREATE TABLE IF NOT EXISTS " + SLOW + " (id bigint GENERATED ALWAYS AS IDENTITY)");
        scene.execute("CREATE OR REPLACE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_advisory_xact_lock(" + LOCK + "); RETURN NULL; END $$");
        scene.execute("DROP TRIGGER IF EXISTS slow_commit ON " + SLOW);
        scene.execute("CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON " + SLOW
                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_lock()");
    }

    private HandleCallback<Integer, SQLException> slowOnce() {
        return tx -> {
            Scene.credit(tx);
            int run = runs.incrementAndGet();
            if (run == 1) {
                tx.execute("INSERT INTO " + SLOW + " DEFAULT VALUES");
            }
            return run;
        };
    }
}
