package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupException;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.WorkFailedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that loses its transaction and goes on (A3, F2, F5). */
@Timeout(120)
class BrokenWorkTest {
    /** How the work talks to the database. */
    enum Way {
        HANDLE,
        CONNECTION,
        DRIVER
    }

    private interface Sql {
        void run(String sql) throws Exception;
    }

    static Stream<Arguments> serversAndWays() {
        return Arrays.stream(Servers.values())
                .flatMap(server -> Arrays.stream(Way.values()).map(way -> Arguments.of(server, way)));
    }

    private static Sql by(Way way, Handle tx, String url) throws SQLException {
        if (way == Way.HANDLE) {
            return tx::execute;
        }
        Connection connection =
                way == Way.CONNECTION ? tx.getConnection() : MysqlFixture.driver(tx.getConnection(), url);
        return sql -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        };
    }

    private static Scene scene(Servers server) {
        return new Scene(server.url(), b -> b.retry(RetryPolicy.none()).lockWait(Duration.ofSeconds(20))).ready();
    }

    private static void swallow(Sql sql, String text) {
        try {
            sql.run(text);
        } catch (Exception swallowed) {
            // as work in the field does: what the store makes of it is what is tested
        }
    }

    private static void assertNothingRemains(Scene scene, Event event, long centsBefore) {
        assertThat(scene.store().find(event.key())).as("claim").isEmpty();
        assertThat(scene.cents()).as("effect").isEqualTo(centsBefore);
        assertThat(scene.store().claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Applied.class);
    }

    /** Takes the row that the work has, while the work waits for its own; and has written more, so is not the victim. */
    private static Future<Object> meet(Scene scene, Connection other) throws SQLException {
        try (Statement statement = other.createStatement()) {
            for (int i = 0; i < 30; i++) {
                statement.execute("INSERT INTO account VALUES ('weight-" + i + "', 0)");
            }
            statement.execute("UPDATE account SET cents = cents + 1 WHERE id = 'b'");
        }
        Future<Object> blocked = Scene.async(() -> {
            try (Statement statement = other.createStatement()) {
                return statement.executeUpdate("UPDATE account SET cents = 0 WHERE id = 'c'");
            }
        });
        scene.awaitWaiting(1);
        return blocked;
    }

    @ParameterizedTest
    @MethodSource("serversAndWays")
    void f2_deadlockThatTheWorkSwallowsAndGoesOnAfter(Servers server, Way way) throws Exception {
        Scene scene = scene(server);
        scene.execute("INSERT IGNORE INTO account VALUES ('c', 0)");
        Event event = Scene.event();
        long cents = scene.cents();
        try (Connection other = scene.transaction()) {
            Throwable caught = catchThrowable(() -> scene.store().claimAndApply(event, tx -> {
                Sql sql = by(way, tx, scene.url());
                sql.run("UPDATE account SET cents = cents + 1 WHERE id = 'c'");
                Future<Object> blocked = meet(scene, other);
                swallow(sql, "UPDATE account SET cents = cents + 1 WHERE id = 'b'");
                blocked.get(30, TimeUnit.SECONDS); // the deadlock has ended, and not by the other's death
                swallow(sql, Scene.CREDIT);
                return null;
            }));
            assertThat(caught).isInstanceOf(DedupException.class);
            other.rollback();
        }
        assertNothingRemains(scene, event, cents);
    }

    /** The statement alone is undone, so claim and later effects stand or fall together. */
    @ParameterizedTest
    @MethodSource("serversAndWays")
    void f2_lockTimeoutThatTheWorkSwallowsAndGoesOnAfter(Servers server, Way way) throws Exception {
        Scene scene = scene(server);
        Event event = Scene.event();
        long cents = scene.cents();
        try (Connection other = scene.transaction();
                Statement statement = other.createStatement()) {
            statement.execute("UPDATE account SET cents = cents + 1 WHERE id = 'b'");
            Throwable caught = catchThrowable(() -> scene.store().claimAndApply(event, tx -> {
                Sql sql = by(way, tx, scene.url());
                sql.run("SET SESSION innodb_lock_wait_timeout = 1");
                swallow(sql, "UPDATE account SET cents = cents + 1 WHERE id = 'b'");
                swallow(sql, Scene.CREDIT);
                return null;
            }));
            other.rollback();
            if (way == Way.DRIVER) {
                assertThat(caught).as("nobody watches there").isNull();
                assertThat(scene.store().find(event.key())).isPresent();
                assertThat(scene.cents()).isEqualTo(cents + 1);
                return;
            }
            assertThat(caught).isInstanceOf(DedupException.class);
        }
        assertNothingRemains(scene, event, cents);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void f2_commitAndMoreOnTheDriversOwnConnection(Servers server) throws Exception {
        Scene scene = scene(server);
        long cents = scene.cents();
        assertThatThrownBy(() -> scene.store().claimAndApply(Scene.event(), tx -> {
                    Sql sql = by(Way.DRIVER, tx, scene.url());
                    sql.run("COMMIT");
                    sql.run(Scene.CREDIT); // in another transaction, without the claim
                    return null;
                }))
                .isInstanceOf(WorkFailedException.class);
        assertThat(scene.cents()).isEqualTo(cents);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void a3_savepointsBeforeAndAfterTheDriversConnectionWasHandedOut(Servers server) throws Exception {
        Scene scene = scene(server);
        Event event = Scene.event();
        long cents = scene.cents();
        Outcome<Object> outcome = scene.store().claimAndApply(event, tx -> {
            tx.savepoint("first");
            Sql sql = by(Way.DRIVER, tx, scene.url());
            sql.run(Scene.CREDIT);
            sql.run("SAVEPOINT second");
            tx.rollbackToSavepoint("first");
            return Scene.credit(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }

    /** By which the server forgets all that were set after it, the store's own too. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void a3_savepointReleasedThatIsOlderThanTheStoresMark(Servers server) throws Exception {
        Scene scene = scene(server);
        long cents = scene.cents();
        Outcome<Object> outcome = scene.store().claimAndApply(Scene.event(), tx -> {
            tx.savepoint("first");
            by(Way.DRIVER, tx, scene.url());
            Scene.credit(tx);
            return tx.releaseSavepoint("first");
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void f2_savepointOfTheNextTransactionDoesNotHideTheCommit(Servers server) {
        Scene scene = scene(server);
        long cents = scene.cents();
        assertThatThrownBy(() -> scene.store().claimAndApply(Scene.event(), tx -> {
                    by(Way.DRIVER, tx, scene.url()).run("COMMIT");
                    tx.savepoint("next");
                    tx.rollbackToSavepoint("next");
                    return Scene.credit(tx);
                }))
                .isInstanceOf(WorkFailedException.class);
        assertThat(scene.cents()).isEqualTo(cents);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void f5_dataDefinitionInTheWorkIsRefused(Servers server) {
        Scene scene = scene(server);
        for (String ddl : new String[] {"CREATE TABLE from_work (id INT)", "TRUNCATE account", "SET autocommit = 1"}) {
            Event event = Scene.event();
            long cents = scene.cents();
            assertThatThrownBy(() -> scene.store().claimAndApply(event, tx -> {
                        Scene.credit(tx);
                        swallow(tx::execute, ddl);
                        return null;
                    }))
                    .as(ddl)
                    .isInstanceOf(WorkFailedException.class);
            assertNothingRemains(scene, event, cents);
        }
        Event event = Scene.event();
        Outcome<Object> outcome = scene.store().claimAndApply(event, tx -> {
            tx.execute("CREATE TEMPORARY TABLE scratch (id INT)");
            tx.execute("DROP TEMPORARY TABLE scratch");
            return Scene.credit(tx);
        });
        assertThat(outcome).isInstanceOf(Outcome.Applied.class);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void f5_procedureThatCommitsIsReported(Servers server) throws Exception {
        Scene scene = scene(server);
        scene.execute("DROP PROCEDURE IF EXISTS committing");
        scene.execute(
                "CREATE PROCEDURE committing() BEGIN COMMIT; UPDATE account SET cents = cents + 1 WHERE id = 'a'; END");
        scene.execute("DROP PROCEDURE IF EXISTS crediting");
        scene.execute("CREATE PROCEDURE crediting() UPDATE account SET cents = cents + 1 WHERE id = 'a'");
        long cents = scene.cents();
        assertThatThrownBy(() -> scene.store().claimAndApply(Scene.event(), tx -> tx.execute("CALL committing()")))
                .isInstanceOf(WorkFailedException.class);
        assertThat(scene.cents()).isEqualTo(cents);
        assertThat(scene.store().claimAndApply(Scene.event(), tx -> tx.execute("CALL crediting()")))
                .isInstanceOf(Outcome.Applied.class);
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }
}
