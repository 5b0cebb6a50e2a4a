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
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.servers.MysqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    /** Also where a longer id would be cut with a warning only: no two ids share a row. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void c5_longIdsInASessionThatIsNotStrict(Servers server) {
        Scene scene = new Scene(server.url() + "&jdbcCompliantTruncation=false&sessionVariables=sql_mode=''").ready();
        List<Event> events = new ArrayList<>();
        for (String end : List.of("\ud83d\ude00", "\ud83d\ude01")) {
            String id = "\ud83d\ude80".repeat(254) + end;
            events.add(Event.of(
                    EventKey.of("long" + server + Scene.event().key().eventId().hashCode(), id),
                    PayloadHash.ofText("p")));
        }
        for (Event event : events) {
            assertThat(scene.store().claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Applied.class);
        }
        scene.execute("DROP TABLE IF EXISTS cut");
        DedupStore cut = new Scene(scene.url(), b -> b.table("cut")).store();
        cut.schema().create();
        scene.execute("ALTER TABLE cut MODIFY event_id VARBINARY(10) NOT NULL");
        for (Event event : events) {
            assertThatThrownBy(() -> cut.claimAndApply(event, Scene::credit))
                    .isInstanceOf(StoreConfigurationException.class);
        }
        assertThat(scene.number("SELECT count(*) FROM cut")).isZero();
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

    @ParameterizedTest
    @EnumSource(Servers.class)
    void e5_rightsThatItNeeds(Servers server) {
        Scene scene = new Scene(server.url()).ready();
        scene.execute("CREATE USER IF NOT EXISTS clerk@'%'");
        scene.execute("GRANT SELECT, INSERT ON dedup_claim TO clerk@'%'");
        if (server == Servers.MYSQL80) {
            scene.execute("GRANT LOCK TABLES ON " + MysqlServer.DATABASE + ".* TO clerk@'%'");
        }
        DedupStore clerks = new Scene(scene.url().replace("user=root", "user=clerk")).store();
        clerks.schema().validate();
        clerks.schema().create();
        Event event = Scene.event();
        assertThat(clerks.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Applied.class);
        assertThat(clerks.claimAndApply(event, tx -> null)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(clerks.find(event.key())).isPresent();
        scene.execute("REVOKE INSERT ON dedup_claim FROM clerk@'%'");
        assertThatThrownBy(() -> clerks.claimAndApply(Scene.event(), tx -> null))
                .isInstanceOf(StoreConfigurationException.class);
        scene.execute("DROP USER clerk@'%'");
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void r1_readOnlyServerIsTransient(Servers server) {
        Scene scene = new Scene(server.url()).ready();
        scene.execute("CREATE USER IF NOT EXISTS reader@'%'");
        scene.execute("GRANT ALL ON " + MysqlServer.DATABASE + ".* TO reader@'%'");
        Scene readers = new Scene(scene.url().replace("user=root", "user=reader"));
        Event event = Scene.event();
        long cents = scene.cents();
        scene.execute("SET GLOBAL read_only = ON");
        try {
            Scene once = new Scene(readers.url(), b -> b.retry(io.dedupstore.RetryPolicy.none()));
            assertThatThrownBy(() -> once.store().claimAndApply(event, Scene::credit))
                    .isInstanceOfSatisfying(
                            io.dedupstore.TransientStoreException.class,
                            e -> assertThat(e.reason())
                                    .isEqualTo(io.dedupstore.TransientStoreException.Reason.READ_ONLY));
        } finally {
            scene.execute("SET GLOBAL read_only = OFF");
        }
        assertThat(readers.store().claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Applied.class);
        assertThat(scene.cents()).isEqualTo(cents + 1);
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void s3_namesThatAreReservedWordsOrInAnotherDatabase(Servers server) {
        Scene scene = new Scene(server.url()).ready();
        scene.execute("CREATE DATABASE IF NOT EXISTS shop");
        for (String table : List.of("order", "shop.group", "Claims_2")) {
            DedupStore store = new Scene(server.url(), b -> b.table(table)).store();
            store.schema().create();
            store.schema().create();
            Event event = Scene.event();
            assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Applied.class);
            assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Duplicate.class);
        }
        DedupStore nowhere = new Scene(server.url().replace("/" + MysqlServer.DATABASE, "/")).store();
        assertThatThrownBy(() -> nowhere.schema().create()).isInstanceOf(StoreConfigurationException.class);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    void s1_invisiblePrimaryKeysThatTheServerGenerates(Servers server) {
        Scene scene = new Scene(
                server.url() + "&sessionVariables=sql_generate_invisible_primary_key=ON",
                b -> b.table("with_invisible"));
        scene.store().schema().create();
        assertThat(scene.store().claimAndApply(Scene.event(), tx -> null)).isInstanceOf(Outcome.Applied.class);
        scene.execute("DROP TABLE with_invisible");
        scene.execute("CREATE TABLE with_invisible (tenant VARBINARY(256) NOT NULL, consumer VARBINARY(512) NOT NULL,"
                + " event_id VARBINARY(1020) NOT NULL, hash_scheme VARCHAR(32) NOT NULL, payload_hash VARBINARY(64)"
                + " NOT NULL, claim_id BINARY(16) NOT NULL, claimed_at DATETIME(6) NOT NULL)");
        assertThatThrownBy(() -> scene.store().schema().create())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("my_row_id");
        scene.execute("DROP TABLE with_invisible");
    }
}
