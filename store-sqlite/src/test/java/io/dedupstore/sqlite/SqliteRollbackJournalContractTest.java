package io.dedupstore.sqlite;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig.JournalMode;

/** The contract on a file with SQLite's default journal, where readers and the writer exclude each other. */
class SqliteRollbackJournalContractTest extends DedupStoreContract {
    @TempDir
    static Path folder;

    private static SqliteFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new SqliteFixture("jdbc:sqlite:" + folder.resolve("journal.db"), JournalMode.DELETE) {
            /** None: nobody can commit beside a reader, so that no snapshot ever is an older one (see {@link SqliteCommitWaitTest}). */
            @Override
            public List<Integer> snapshotLevels() {
                return List.of();
            }
        };
    }

    @Override
    protected BackendFixture fixture() {
        return fixture;
    }
}
