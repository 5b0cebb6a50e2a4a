package io.dedupstore.sqlite;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a file in WAL mode. */
class SqliteContractTest extends DedupStoreContract {
    @TempDir
    static Path folder;

    private static SqliteFixture fixture;

    @BeforeAll
    static void open() {
        fixture = SqliteFixture.wal(folder.resolve("wal.db"));
    }

    @Override
    protected BackendFixture fixture() {
        return fixture;
    }
}
