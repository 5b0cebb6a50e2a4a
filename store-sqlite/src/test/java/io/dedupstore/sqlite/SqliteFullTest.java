package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SQLITE_FULL, by a file that may not grow. */
@Timeout(60)
class SqliteFullTest {
    private static final String BIG = "UPDATE account SET note = zeroblob(1000000)";

    @TempDir
    Path folder;

    private final Event event = Ledger.event("full");
    private Ledger ledger;
    private DedupStore full;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("full.db"));
        ledger.execute("ALTER TABLE account ADD COLUMN note BLOB");
        // a bound below the present size is raised to it
        full = DedupStore.builder(ledger.source(config -> config.setMaxPageCount(1)))
                .build();
    }

    @Test
    void a3_swallowedFullIsATransientRefusalAndNothingIsKept() throws SQLException {
        List<Integer> runs = new ArrayList<>();
        Throwable caught = catchThrowable(() -> full.claimAndApply(event, tx -> {
            runs.add(1);
            Ledger.credit(tx);
            assertThat(catchThrowable(() -> tx.execute(BIG))).isInstanceOf(UnableToExecuteStatementException.class);
            return Ledger.credit(tx);
        }));
        assertOutOfRoom(caught);
        assertThat(runs).as("the same again at once would not help").hasSize(1);
        ledger.assertNothingRemains(event);
    }

    @Test
    void a3_swallowedFullIsNotHiddenByAnEarlierFailureThatMayBeSwallowed() throws SQLException {
        Throwable caught = catchThrowable(() -> full.claimAndApply(event, tx -> {
            Ledger.credit(tx);
            assertThat(catchThrowable(() -> tx.execute("INSERT INTO account SELECT * FROM account")))
                    .isInstanceOf(UnableToExecuteStatementException.class);
            assertThat(catchThrowable(() -> tx.execute(BIG))).isInstanceOf(UnableToExecuteStatementException.class);
            return 0;
        }));
        assertOutOfRoom(caught);
        ledger.assertNothingRemains(event);
    }

    @Test
    void e2_fullThatIsLetThroughIsTheWorksException() throws SQLException {
        Throwable caught = catchThrowable(() -> full.claimAndApply(event, tx -> {
            Ledger.credit(tx);
            return tx.execute(BIG);
        }));
        assertThat(caught).isNotInstanceOf(DedupException.class).hasRootCauseInstanceOf(SQLException.class);
        ledger.assertNothingRemains(event);
    }

    @Test
    void r1_claimForWhichThereIsNoRoomIsTransientAndTheFileStaysIntact() throws SQLException {
        int applied = 0;
        Throwable caught = null;
        while (caught == null && applied < 200) {
            Event next = longEvent(applied);
            caught = catchThrowable(() -> full.claimAndApply(next, tx -> null));
            applied += caught == null ? 1 : 0;
        }
        assertOutOfRoom(caught);
        assertThat(applied).isBetween(1, 100);
        assertThat(full.consume(longEvent(applied), tx -> null)).isEqualTo(Disposition.RETRY);
        assertIntact();
        assertThat(ledger.claims()).isEqualTo(applied);
        assertThat(full.claimAndApply(longEvent(0), tx -> null)).isInstanceOf(io.dedupstore.Outcome.Duplicate.class);
        ledger.assertNothingRemains(longEvent(applied));
    }

    private static Event longEvent(int number) {
        return Event.of(EventKey.of("ledger", "x".repeat(240) + number), PayloadHash.ofText("payload " + number));
    }

    private static void assertOutOfRoom(Throwable caught) {
        assertThat(caught)
                .isInstanceOfSatisfying(
                        TransientStoreException.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.RESOURCES))
                .hasMessageContaining("code 13");
    }

    private void assertIntact() throws SQLException {
        try (Connection connection = ledger.connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("ok");
        }
    }
}
