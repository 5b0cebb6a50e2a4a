package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.Event;
import io.dedupstore.Outcome;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteConfig.JournalMode;

/** The consumer's process is killed, and the message comes again to another. */
@Timeout(180)
class SqliteKillTest {
    @TempDir
    Path folder;

    private final Event event = Ledger.event("killed");
    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("kill.db"));
    }

    private void killWhenItSays(String when) throws Exception {
        try (ChildJvm child =
                ChildJvm.start("apply", ledger.file().toString(), event.key().eventId(), when)) {
            child.await(when);
            child.kill();
        }
    }

    @Test
    void r3_killedRightBeforeTheCommitTheRedeliveryIsApplied() throws Exception {
        killWhenItSays("before");
        assertThat(ledger.claims()).isZero();
        assertThat(ledger.credits()).isZero();
        ledger.assertNothingRemains(event);
    }

    @Test
    void a2_killedRightAfterAppliedWasReportedTheRedeliveryIsADuplicate() throws Exception {
        killWhenItSays("after");
        for (boolean redelivered : new boolean[] {true, false}) {
            assertThat(ledger.store().claimAndApply(event.redelivered(redelivered), Ledger::credit))
                    .isInstanceOf(Outcome.Duplicate.class);
        }
        assertThat(ledger.credits()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = JournalMode.class,
            names = {"WAL", "DELETE"})
    void r3_killedBetweenTheCommitsWriteAndItsReturnTheRedeliveryIsADuplicate(JournalMode journal) throws Exception {
        ledger = Ledger.create(folder.resolve("written.db"), journal);
        killWhenItSays("written");
        assertThat(ledger.store().claimAndApply(event, Ledger::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(ledger.credits()).isEqualTo(1);
        assertThat(ledger.claims()).isEqualTo(1);
    }

    @Test
    void r3_killedBeforeTheCommitWithARollbackJournal() throws Exception {
        ledger = Ledger.create(folder.resolve("journal.db"), JournalMode.DELETE);
        killWhenItSays("before");
        ledger.assertNothingRemains(event);
    }

    @Test
    void r3_killedOverAndOverEachEventIsAppliedOnce() throws Exception {
        int kills = 4;
        for (int i = 0; i < kills; i++) {
            killWhenItSays(i % 2 == 0 ? "before" : "after");
            if (i % 2 == 1) {
                break;
            }
        }
        assertThat(ledger.store().claimAndApply(event, Ledger::credit)).isInstanceOf(Outcome.Duplicate.class);
        assertThat(ledger.credits()).isEqualTo(1);
        assertThat(ledger.claims()).isEqualTo(1);
    }
}
