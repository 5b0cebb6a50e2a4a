package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Joined claims at every isolation level, in every mode of the driver that changes what is sent (W4, A8, B4). */
@Timeout(120)
class JoinedModesTest {
    private static final int RUNS = 7; // past prepareThreshold=5

    static Stream<String> modes() {
        List<String> modes = new ArrayList<>();
        for (String autosave : List.of("never", "conservative", "always")) {
            for (String prepared : List.of(
                    "prepareThreshold=0", "prepareThreshold=1", "prepareThreshold=5", "preferQueryMode=simple")) {
                modes.add("&autosave=" + autosave + "&" + prepared);
            }
        }
        return modes.stream();
    }

    private static Connection begin(Scene scene, int level) throws SQLException {
        Connection connection = scene.connect();
        connection.setTransactionIsolation(level);
        connection.setAutoCommit(false);
        return connection;
    }

    private static boolean keepsItsSnapshot(int level) {
        return level != Connection.TRANSACTION_READ_COMMITTED;
    }

    private static final List<Integer> LEVELS = List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE);

    @ParameterizedTest
    @MethodSource("modes")
    void a8_freshDuplicateAndConflictLeaveTheTransactionUsable(String mode) throws Exception {
        Scene scene = new Scene(Servers.POSTGRES.url() + mode).ready();
        DedupStore store = scene.store();
        for (int level : LEVELS) {
            long cents = scene.cents();
            try (Connection connection = begin(scene, level);
                    Statement statement = connection.createStatement()) {
                for (int i = 0; i < RUNS; i++) {
                    Event old = Scene.event();
                    store.claimAndApply(old, tx -> null);
                    statement.execute(Scene.CREDIT);
                    assertThat(store.claim(connection, old)).isInstanceOf(ClaimResult.Duplicate.class);
                    assertThat(catchThrowable(() -> store.claim(connection, Scene.altered(old))))
                            .isInstanceOf(PayloadConflictException.class);
                    Event fresh = Scene.event();
                    assertThat(store.claim(connection, fresh)).isInstanceOf(ClaimResult.Claimed.class);
                    assertThat(store.claim(connection, fresh)).as("C7").isInstanceOf(ClaimResult.Duplicate.class);
                    statement.execute(Scene.CREDIT);
                    connection.commit();
                    assertThat(store.find(fresh.key())).isPresent();
                }
            }
            assertThat(scene.cents()).isEqualTo(cents + 2 * RUNS);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void w4_olderSnapshotAndHolderThatCommitsMeanwhile(String mode) throws Exception {
        Scene scene = new Scene(Servers.POSTGRES.url() + mode).ready();
        for (int level : LEVELS) {
            for (int i = 0; i < 2; i++) {
                committedAfterTheSnapshot(scene, level);
                committedWhileWaiting(scene, level);
            }
        }
    }

    private static void committedAfterTheSnapshot(Scene scene, int level) throws SQLException {
        Event event = Scene.event();
        try (Connection connection = begin(scene, level)) {
            Scene.value(connection, "SELECT cents FROM account");
            scene.store().claimAndApply(event, tx -> null);
            assertAnswer(
                    level,
                    catchThrowable(() -> assertThat(scene.store().claim(connection, event))
                            .isInstanceOf(ClaimResult.Duplicate.class)));
            connection.rollback();
        }
    }

    private static void committedWhileWaiting(Scene scene, int level) throws Exception {
        Event event = Scene.event();
        try (Connection holder = scene.transaction();
                Connection connection = begin(scene, level)) {
            scene.store().claim(holder, event);
            Future<Throwable> waiter = Scene.async(() -> catchThrowable(() ->
                    assertThat(scene.store().claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class)));
            scene.awaitWaiting(1);
            holder.commit();
            assertAnswer(level, waiter.get(30, TimeUnit.SECONDS));
            connection.rollback();
        }
    }

    private static void assertAnswer(int level, Throwable caught) {
        if (keepsItsSnapshot(level)) {
            assertThat(caught)
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(TransientStoreException.Reason.SERIALIZATION));
        } else {
            assertThat(caught).isNull();
        }
    }

    /** Where the row is gone before it is read, a trigger stands in for the purge, which cannot be timed. */
    @Test
    void a7_settingsAreBackAlsoWhereTheRowHasVanished() throws Exception {
        Scene scene = new Scene(Servers.POSTGRES.url(), builder -> builder.table("vanishing"));
        scene.execute("DROP TABLE IF EXISTS vanishing");
        scene.store().schema().create();
        assertThat(scene.store().find(Scene.event().key())).isEmpty();
        scene.execute(
                "CREATE OR REPLACE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
        scene.execute("CREATE TRIGGER t BEFORE INSERT ON vanishing FOR EACH ROW EXECUTE FUNCTION swallow()");
        try (Connection connection = scene.transaction()) {
            String before = Scene.value(connection, "SHOW lock_timeout");
            assertThatThrownBy(() -> scene.store().claim(connection, Scene.event()))
                    .isInstanceOf(TransientStoreException.class);
            assertThat(Scene.value(connection, "SHOW lock_timeout")).isEqualTo(before);
        }
    }
}
