package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.Claim;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the claim's statements do, beyond what the kit asks of every database. */
@Timeout(120)
class ClaimTest {
    private static final String SETTINGS =
            "SELECT concat(@@innodb_lock_wait_timeout, ' ', @@transaction_isolation, ' ', IF(@@autocommit, 1, 0))";

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static HikariDataSource single(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static String settings(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Scene.value(connection, SETTINGS);
        }
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void a7_joinedClaimLeavesNoSettingBehind(Servers server) throws Exception {
        Scene scene = new Scene(server.url(), b -> b.lockWait(Duration.ofSeconds(1))).ready();
        DedupStore store = scene.store();
        Event event = Scene.event();
        Event held = Scene.event();
        try (Connection connection = scene.transaction();
                Connection holder = scene.transaction()) {
            store.claim(holder, held); // first: a duplicate's lock takes the gap below it along on 8.0.12
            run(connection, "SET SESSION innodb_lock_wait_timeout = 7");
            String before = Scene.value(connection, SETTINGS);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(Scene.value(connection, SETTINGS)).as("fresh").isEqualTo(before);
            assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(Scene.value(connection, SETTINGS)).as("duplicate").isEqualTo(before);
            assertThatThrownBy(() -> store.claim(connection, Scene.altered(event)))
                    .isInstanceOf(PayloadConflictException.class);
            assertThat(Scene.value(connection, SETTINGS)).as("conflict").isEqualTo(before);
            assertThatThrownBy(() -> store.claim(connection, held)).isInstanceOf(ClaimInFlightException.class);
            assertThat(Scene.value(connection, SETTINGS)).as("wait bound").isEqualTo(before);
            connection.commit();
            holder.rollback();
        }
        assertThat(store.find(event.key())).isPresent();
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void a5_ownedTransactionHasItsSettingsAndLeavesTheSessions(Servers server) throws Exception {
        new Scene(server.url()).ready();
        for (String url : List.of(server.url(), Urls.recommended(server.url()))) {
            try (HikariDataSource pool = single(url)) {
                DedupStore store = DedupStore.builder(pool).build();
                String normal = settings(pool);
                AtomicReference<String> inWork = new AtomicReference<>();
                Event event = Scene.event();
                store.claimAndApply(event, tx -> {
                    inWork.set(Scene.value(tx.getConnection(), SETTINGS));
                    return null;
                });
                assertThat(inWork).hasValue("5 READ-COMMITTED 0");
                assertThat(settings(pool)).isEqualTo(normal);
                store.claimAndApply(event, Scene::credit);
                assertThat(settings(pool)).isEqualTo(normal);
                assertThatThrownBy(() -> store.claimAndApply(Scene.event(), tx -> {
                            throw new IllegalStateException();
                        }))
                        .isInstanceOf(IllegalStateException.class);
                assertThat(settings(pool)).isEqualTo(normal);
                // somebody leaves other settings behind, of which the store knows nothing
                try (Connection connection = pool.getConnection()) {
                    run(connection, "SET SESSION innodb_lock_wait_timeout = 33");
                    run(connection, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
                }
                store.claimAndApply(Scene.event(), tx -> {
                    inWork.set(Scene.value(tx.getConnection(), SETTINGS));
                    return null;
                });
                assertThat(inWork).hasValue("5 READ-COMMITTED 0");
                assertThat(settings(pool)).isEqualTo("33 SERIALIZABLE 1");
            }
        }
    }

    /** Each of them alone, and on each server by each driver. */
    static Stream<Arguments> driverOptions() {
        List<String> connectorJ = List.of(
                "useAffectedRows=true",
                "rewriteBatchedStatements=true",
                "useServerPrepStmts=true",
                "useServerPrepStmts=true&cachePrepStmts=true",
                "allowMultiQueries=true",
                "jdbcCompliantTruncation=false&sessionVariables=sql_mode=''",
                "useLocalSessionState=true&useLocalTransactionState=true",
                "cacheServerConfiguration=true&elideSetAutoCommits=true",
                "connectionCollation=latin1_swedish_ci",
                "connectionTimeZone=%2B12:45&forceConnectionTimeZoneToSession=true",
                "useCursorFetch=true&defaultFetchSize=1",
                "autoReconnect=true");
        List<String> mariaDb = List.of(
                "useAffectedRows=true",
                "useServerPrepStmts=true",
                "useServerPrepStmts=true&cachePrepStmts=false",
                "allowMultiQueries=true",
                "jdbcCompliantTruncation=false&sessionVariables=sql_mode=''",
                "useBulkStmts=true",
                "sessionVariables=lc_messages='de_DE'",
                "sessionVariables=sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'");
        return Arrays.stream(Servers.values())
                .flatMap(server -> (server == Servers.MARIADB ? mariaDb : connectorJ)
                        .stream().map(options -> Arguments.of(server, options)));
    }

    @ParameterizedTest
    @MethodSource("driverOptions")
    void b4_driverOptionsChangeNoResult(Servers server, String options) throws Exception {
        Scene scene = new Scene(server.url() + "&" + options).ready();
        DedupStore store = scene.store();
        long cents = scene.cents();
        Event event = Event.of(
                EventKey.of(
                        "caf\u00e9 \ud83d\ude00",
                        "'; \\ \" ? \u00e9-" + Scene.event().key().eventId()),
                PayloadHash.ofText("payload"));
        assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Applied.class);
        Claim claim = store.find(event.key()).orElseThrow();
        assertThat(claim.key()).isEqualTo(event.key());
        assertThat(claim.claimedAt())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        for (boolean redelivered : new boolean[] {false, true}) {
            Event again = event.redelivered(redelivered);
            assertThat(store.claimAndApply(again, Scene::credit)).isEqualTo(new Outcome.Duplicate<>(claim));
            assertThatThrownBy(() -> store.claimAndApply(Scene.altered(again), Scene::credit))
                    .isInstanceOf(PayloadConflictException.class);
        }
        try (Connection joined = scene.transaction()) {
            Event fresh = Scene.event();
            assertThat(store.claim(joined, event)).isEqualTo(new ClaimResult.Duplicate(claim));
            assertThat(store.claim(joined, fresh)).isInstanceOf(ClaimResult.Claimed.class);
            assertThat(store.claim(joined, fresh)).as("C7").isInstanceOf(ClaimResult.Duplicate.class);
            joined.commit();
            assertThat(store.find(fresh.key())).isPresent();
        }
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void e1_anotherKeysViolationIsNoDuplicate(Servers server) {
        Scene scene = new Scene(server.url(), b -> b.table("two_keys")).ready();
        scene.execute("CREATE UNIQUE INDEX other ON two_keys (payload_hash)"); // after the store has seen it
        try {
            Event first = Scene.event();
            assertThat(scene.store().claimAndApply(first, tx -> null)).isInstanceOf(Outcome.Applied.class);
            Throwable caught = catchThrowable(() -> scene.store().claimAndApply(Scene.event(), tx -> null));
            assertThat(caught).isInstanceOf(io.dedupstore.TransientStoreException.class);
            assertThat(scene.store().claimAndApply(first, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
        } finally {
            scene.execute("DROP TABLE two_keys");
        }
    }
}
