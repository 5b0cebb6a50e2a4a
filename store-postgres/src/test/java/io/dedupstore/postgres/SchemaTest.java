package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and shapes of the table, beyond the kit's. */
@Timeout(60)
class SchemaTest {
    private static final String COLUMNS = "(tenant varchar(64), consumer text COLLATE \"C\", event_id varchar(255),"
            + " hash_scheme varchar(32), payload_hash bytea, claim_id uuid,"
            + " claimed_at timestamptz DEFAULT now(), more text, ";
    private static final String KEY = "UNIQUE (event_id, tenant, consumer)";

    private Scene scene;

    @BeforeEach
    void prepare() {
        scene = new Scene(Servers.POSTGRES.url()).ready();
        scene.execute("CREATE SCHEMA IF NOT EXISTS shop");
        scene.execute("CREATE SCHEMA IF NOT EXISTS \"user\"");
    }

    private DedupStore store(String table) {
        return new Scene(scene.url(), b -> b.table(table)).store();
    }

    private static void assertWorks(DedupStore store) {
        Event event = Scene.event();
        assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(store.claimAndApply(event.redelivered(true), Scene::credit)).isInstanceOf(Outcome.Duplicate.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop.claims",
                "shop.dedup_claim",
                "order",
                "user.Table",
                "MixedCase",
                "x23456789012345678901234567890123456789012345678901234567890123"
            })
    void s3_names(String table) {
        DedupStore store = store(table);
        store.schema().create();
        store.schema().create();
        assertWorks(store);
        String name = table.substring(table.indexOf('.') + 1).toLowerCase(java.util.Locale.ROOT);
        assertThat(scene.number("SELECT count(*) FROM pg_indexes WHERE tablename = '" + name
                        + "' AND indexdef LIKE '%(claimed_at)'"))
                .as("the purge's index")
                .isPositive();
    }

    @Test
    void s1_defaultScriptIsTheResource() throws Exception {
        try (var resource = PostgresDialect.class.getResourceAsStream("schema.sql")) {
            String script = new String(resource.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(scene.store().schema().ddl().replace("\"", "")).isEqualTo(script.replace("\"", ""));
        }
    }

    @Test
    void s1_createDoesNotWaitForOpenClaims() throws Exception {
        try (Connection holder = scene.transaction()) {
            scene.store().claim(holder, Scene.event());
            Future<Boolean> create = Scene.async(() -> {
                scene.store().schema().create();
                return true;
            });
            assertThat(create.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void s2_otherShapesThatKeepTheContract() {
        scene.execute("DROP TABLE IF EXISTS shop.own, shop.parts");
        scene.execute("CREATE TABLE shop.own " + COLUMNS + KEY + ", UNIQUE (claim_id))");
        assertWorks(store("shop.own"));
        scene.execute("CREATE TABLE shop.parts " + COLUMNS + KEY + ") PARTITION BY HASH (event_id)");
        for (int i = 0; i < 3; i++) {
            scene.execute("CREATE TABLE IF NOT EXISTS shop.parts_" + i
                    + " PARTITION OF shop.parts FOR VALUES WITH (MODULUS 3, REMAINDER " + i + ")");
        }
        for (int i = 0; i < 10; i++) {
            assertWorks(store("shop.parts"));
        }
        assertThatThrownBy(() -> store("shop.parts_1").schema().validate())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("partition");
    }

    @Test
    void s2_whatStandsInBetween() {
        scene.execute("DROP TABLE IF EXISTS shop.base, shop.child, shop.seen CASCADE");
        scene.execute("CREATE TABLE shop.base " + COLUMNS + KEY + ")");
        assertWorks(store("shop.base"));
        scene.execute("CREATE VIEW shop.seen AS SELECT * FROM shop.base");
        assertUnfit("shop.seen", "is no table");
        scene.execute("CREATE TABLE shop.child () INHERITS (shop.base)");
        assertUnfit("shop.base", "inheriting");
        scene.execute("DROP TABLE shop.child");
        scene.execute("ALTER TABLE shop.base ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
        scene.execute("DO 'BEGIN IF to_regrole(''guest'') IS NULL THEN CREATE ROLE guest LOGIN; END IF; END'");
        scene.execute("GRANT USAGE ON SCHEMA shop TO guest; GRANT SELECT, INSERT ON shop.base TO guest");
        Scene guest = new Scene(scene.url().replace("user=postgres", "user=guest"), b -> b.table("shop.base"));
        assertThatThrownBy(() -> guest.store().schema().validate())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("row-level security");
    }

    private void assertUnfit(String table, String how) {
        assertThatThrownBy(() -> store(table).schema().validate())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining(how);
    }

    @Test
    void s2_databaseThatCannotHoldEveryId() {
        if (scene.number("SELECT count(*) FROM pg_database WHERE datname = 'latin'") == 0) {
            scene.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        }
        Scene latin = new Scene(scene.url().replace("/postgres?", "/latin?"), b -> b.lockWait(Duration.ofSeconds(1)));
        assertThatThrownBy(() -> latin.store().schema().create())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("LATIN1");
    }
}
