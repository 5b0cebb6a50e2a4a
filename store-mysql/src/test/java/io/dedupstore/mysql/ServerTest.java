package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.servers.MysqlServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the server makes of names, rights and settings of its own. */
@Timeout(120)
class ServerTest {
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
