package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.servers.PgServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primary and its standby, both of the test's own, so that they can be told to wait, be killed, and be cut off. */
@Timeout(180)
class ReplicationTest {
    private static PgServer primary;
    private static PgServer standby;
    private static Scene scene;

    @BeforeAll
    static void start() {
        primary = PgServer.create(Servers.binaries());
        standby = primary.standby();
        primary.launch();
        scene = new Scene(primary.url()).ready();
        standby.launch();
    }

    @AfterAll
    static void stop() {
        if (standby != null) {
            standby.close();
        }
        if (primary != null) {
            primary.close();
        }
    }

    private static void waitForStandbys(String names) {
        scene.execute("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
        scene.execute("SELECT pg_reload_conf()");
        Waiting.until("the setting is there", () -> {
            try (Connection connection = scene.connect()) {
                return Scene.value(connection, "SHOW synchronous_standby_names").equals(names);
            }
        });
    }

    /** A commit that waits for a standby that does not exist, until something is done to its back end. */
    private static Outcome<Object> commitThatWaits(Event event, String doTo, AtomicInteger runs) throws Exception {
        waitForStandbys("nobody");
        try {
            Future<Outcome<Object>> commit = Scene.async(() -> scene.store().claimAndApply(event, tx -> {
                runs.incrementAndGet();
                return Scene.credit(tx);
            }));
            Waiting.until(
                    "the commit waits",
                    () -> scene.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 1);
            try (Connection connection = scene.connect()) {
                Scene.value(connection, "SELECT " + doTo + "(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
            }
            return commit.get(60, TimeUnit.SECONDS);
        } finally {
            waitForStandbys("");
        }
    }

    @Test
    void a2_cancelledWaitForAStandbyIsAppliedForTheRowIsDurableHere() throws Exception {
        Event event = Scene.event();
        long cents = scene.cents();
        AtomicInteger runs = new AtomicInteger();
        assertThat(commitThatWaits(event, "pg_cancel_backend", runs)).isInstanceOf(Outcome.Applied.class);
        assertThat(runs).hasValue(1);
        assertThat(scene.store().find(event.key())).isPresent();
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }

    @Test
    void r3_terminatedWaitForAStandbyIsInDoubtAndFoundApplied() throws Exception {
        Event event = Scene.event();
        long cents = scene.cents();
        AtomicInteger runs = new AtomicInteger();
        assertThat(commitThatWaits(event, "pg_terminate_backend", runs)).isInstanceOf(Outcome.Applied.class);
        assertThat(runs).as("the first run was committed").hasValue(1);
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }

    @Test
    void r1_standbyTakesNoWrites() throws Exception {
        Event event = Scene.event();
        scene.store().claimAndApply(event, tx -> null);
        DedupStore cutOff =
                new Scene(standby.url(), b -> b.retry(RetryPolicy.defaults().withAttempts(2))).store();
        Waiting.until("the standby has it", () -> cutOff.find(event.key()).isPresent());
        cutOff.schema().validate();
        TransientStoreException refused = catchThrowableOfType(
                TransientStoreException.class, () -> cutOff.claimAndApply(Scene.event(), Scene::credit));
        assertThat(refused.reason()).isEqualTo(Reason.READ_ONLY);
        assertThat(refused.getSuppressed()).as("the attempt before").hasSize(1);
        assertThat(cutOff.claimAndApply(event.redelivered(true), Scene::credit))
                .as("a duplicate needs no write")
                .isInstanceOf(Outcome.Duplicate.class);
        try (Connection connection = new Scene(standby.url()).transaction()) {
            assertThatThrownBy(() -> cutOff.claim(connection, Scene.event()))
                    .isInstanceOf(TransientStoreException.class);
        }
    }

    @Test
    void joinedClaimOnThePrimaryReachesTheStandby() throws SQLException {
        Event event = Scene.event();
        try (Connection connection = scene.transaction()) {
            assertThat(scene.store().claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            connection.commit();
        }
        DedupStore reading = new Scene(standby.url()).store();
        Waiting.until("the standby has it", () -> reading.find(event.key()).isPresent());
    }
}
