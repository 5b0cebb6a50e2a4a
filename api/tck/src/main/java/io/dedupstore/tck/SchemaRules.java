package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.spi.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S1, S2, S3. */
abstract class SchemaRules extends Rules {
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final List<String> created = new ArrayList<>();

    SchemaRules(BackendFixture fixture) {
        super(fixture);
    }

    private String newTable() {
        String table = "kit_claim_" + TABLES.incrementAndGet();
        kit.outside().useHandle(h -> {
            if (!kit.missing(table)) {
                h.execute("DROP TABLE " + table);
            }
        });
        created.add(table);
        return table;
    }

    private void dropTables() {
        kit.outside()
                .useHandle(h -> created.forEach(table -> {
                    if (!kit.missing(table)) {
                        h.execute("DROP TABLE " + table);
                    }
                }));
    }

    @Test
    void s1_createIsIdempotentAndKeepsTheRows() {
        DedupStore store = kit.store();
        Event event = kit.event();
        store.claimAndApply(event, kit.credit());
        store.schema().create();
        store.schema().create();
        store.schema().validate();
        assertThat(store.find(event.key())).isPresent();
    }

    @Test
    void s1_severalProcessesMayCreateAtOnce() throws Exception {
        TableName table = TableName.of(newTable());
        List<Future<Boolean>> creators = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            creators.add(kit.async(() -> {
                kit.store(table, builder -> {}, real -> real).schema().create();
                return true;
            }));
        }
        for (Future<Boolean> creator : creators) {
            assertThat(Kit.get(creator)).isTrue();
        }
        dropTables();
    }

    @Test
    void s1_ddlIsUsableByAMigrationToolAsItIs() {
        DedupStore store = kit.store(TableName.of(newTable()), builder -> {}, real -> real);
        kit.outside().useHandle(h -> h.createScript(store.schema().ddl()).execute());
        store.schema().validate();
        assertThat(store.claimAndApply(kit.event(), kit.credit())).isInstanceOf(Outcome.Applied.class);
        dropTables();
    }

    @Test
    void s2_unfitTablesAreRefusedBeforeAnythingIsClaimed() {
        for (Map.Entry<String, String> unfit : kit.fixture().unfitTables().entrySet()) {
            String table = newTable();
            kit.outside()
                    .useHandle(h -> h.createScript(unfit.getValue().replace("%s", table))
                            .execute());
            DedupStore store = kit.store(TableName.of(table), builder -> {}, real -> real);
            assertThatThrownBy(() -> store.schema().validate())
                    .as(unfit.getKey())
                    .isInstanceOf(StoreConfigurationException.class)
                    .hasMessageContaining(table);
            assertThatThrownBy(() -> store.claimAndApply(kit.event(), kit.credit()))
                    .as(unfit.getKey())
                    .isInstanceOf(StoreConfigurationException.class);
            assertThatThrownBy(() -> store.schema().create())
                    .as(unfit.getKey())
                    .isInstanceOf(StoreConfigurationException.class);
            assertJoinedClaimLeavesNothing(unfit.getKey(), table);
        }
        assertThat(kit.credits()).isZero();
        dropTables();
    }

    /** The first claim of a store finds the table unfit, and its caller commits all the same. */
    private void assertJoinedClaimLeavesNothing(String what, String table) {
        DedupStore store = kit.store(TableName.of(table), builder -> {}, real -> real);
        try (Connection connection = kit.transaction()) {
            Throwable caught = catchThrowable(() -> store.claim(connection, kit.event()));
            assertThat(caught).as(what).isInstanceOf(StoreConfigurationException.class);
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(what, e);
        }
        long rows = kit.outside()
                .withHandle(h -> h.select("SELECT count(*) FROM " + table)
                        .mapTo(Long.class)
                        .one());
        assertThat(rows).as(what).isZero();
    }

    @Test
    void s3_tableIsConfigurable() {
        DedupStore store = kit.store(TableName.of(newTable()), builder -> {}, real -> real);
        store.schema().create();
        Event event = kit.event();
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Duplicate.class);
        assertThat(kit.store().find(event.key())).as("in the default table").isEmpty();
        dropTables();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a;DROP TABLE kit_account",
                "a\"b",
                "a'b",
                "`a`",
                "[a]",
                "1a",
                "a.b.c",
                ".a",
                "a.",
                "a-b",
                "a--b",
                "\u00e4",
                "a\u0000",
                "a\n",
                "x234567890123456789012345678901234567890123456789012345678901234"
            })
    void s3_nothingButANameIsSplicedIntoSql(String name) {
        assertThatThrownBy(() -> DedupStore.builder(kit.fixture().dataSource()).table(name))
                .isInstanceOf(StoreConfigurationException.class);
        assertThat(kit.missing("kit_account")).isFalse();
    }
}
