package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** S2 on tables that somebody made by hand and filled: they are refused, and nothing in them changes. */
@Timeout(60)
class SqliteUnfitTableTest {
    private static final String REST = "hash_scheme TEXT NOT NULL, payload_hash BLOB NOT NULL, claim_id BLOB NOT NULL,"
            + " claimed_at INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant, consumer, event_id))";
    private static final String ROWS =
            " VALUES ('default', 'ledger', 'AB', 'sha256', x'00112233445566778899aabbccddeeff',"
                    + " x'00112233445566778899aabbccddeeff', 7), ('default', 'ledger', '12', 'sha256',"
                    + " x'00112233445566778899aabbccddeeff', x'00112233445566778899aabbccddeeff', 8)";

    @TempDir
    Path folder;

    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("unfit.db"));
        ledger.execute("DROP TABLE dedup_claim");
    }

    private void createByHand(String eventId) throws SQLException {
        ledger.execute("CREATE TABLE dedup_claim (tenant TEXT NOT NULL, consumer TEXT NOT NULL, event_id " + eventId
                + " NOT NULL, " + REST);
        ledger.execute("INSERT INTO dedup_claim" + ROWS);
    }

    private List<String> content() throws SQLException {
        List<String> content = new ArrayList<>();
        try (Connection connection = ledger.connection();
                Statement statement = connection.createStatement()) {
            for (String sql : new String[] {
                "SELECT type || name || coalesce(sql, '') FROM sqlite_master ORDER BY 1",
                "SELECT tenant || consumer || event_id || hex(payload_hash) || claimed_at FROM dedup_claim ORDER BY 1"
            }) {
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (rows.next()) {
                        content.add(rows.getString(1));
                    }
                }
            }
        }
        return content;
    }

    /** Every way in refuses, with words of the fault, and changes nothing. */
    private void assertRefused(String says) throws SQLException {
        List<String> before = content();
        DedupStore store = ledger.store();
        for (String id : new String[] {"ab", "AB", "0012", "12", "new"}) {
            Event event = Event.of(EventKey.of("ledger", id), PayloadHash.ofText(id));
            for (Event each : new Event[] {event, event.redelivered(true)}) {
                assertThat(catchThrowable(() -> store.claimAndApply(each, Ledger::credit)))
                        .isInstanceOf(StoreConfigurationException.class)
                        .hasMessageContaining(says)
                        .hasMessageContaining("dedup_claim")
                        .hasMessageContaining("schema.sql");
                assertThat(store.consume(each, Ledger::credit)).isEqualTo(Disposition.RETRY);
                assertThat(catchThrowable(() -> join(store, each))).isInstanceOf(StoreConfigurationException.class);
            }
            assertThat(catchThrowable(() -> store.find(event.key()))).isInstanceOf(StoreConfigurationException.class);
        }
        assertThat(catchThrowable(() -> store.schema().create())).isInstanceOf(StoreConfigurationException.class);
        assertThat(catchThrowable(() -> store.schema().validate())).isInstanceOf(StoreConfigurationException.class);
        assertThat(content()).isEqualTo(before);
        assertThat(ledger.credits()).isZero();
    }

    private void join(DedupStore store, Event event) throws SQLException {
        try (Connection connection = ledger.connection()) {
            connection.setAutoCommit(false);
            try {
                store.claim(connection, event);
            } finally {
                connection.rollback();
            }
        }
    }

    @Test
    void s2_tableThatIgnoresCase() throws SQLException {
        createByHand("TEXT COLLATE NOCASE");
        assertRefused("NOCASE");
    }

    @Test
    void s2_tableThatTakesIdsForNumbers() throws SQLException {
        createByHand("NUMERIC");
        assertRefused("NUMERIC affinity");
    }

    @Test
    void s2_viewInsteadOfATable() throws SQLException {
        ledger.store(builder -> builder.table("real_claim")).schema().create();
        ledger.execute("INSERT INTO real_claim" + ROWS);
        ledger.execute("CREATE VIEW dedup_claim AS SELECT * FROM real_claim");
        assertRefused("no primary key or unique index");
    }

    @Test
    void s2_tableWithATriggerThatAddsToIt() throws SQLException {
        createByHand("TEXT");
        ledger.execute("CREATE TRIGGER counted AFTER INSERT ON dedup_claim"
                + " BEGIN UPDATE account SET cents = cents + 2500; END");
        assertRefused("trigger");
    }

    @Test
    void s2_rowsThatAreThereAlreadyAreNoFault() throws SQLException {
        createByHand("TEXT");
        ledger.store().schema().validate();
        assertThat(ledger.store().find(EventKey.of("ledger", "AB"))).isPresent();
        assertThat(ledger.store().find(EventKey.of("ledger", "ab"))).isEmpty();
    }
}
