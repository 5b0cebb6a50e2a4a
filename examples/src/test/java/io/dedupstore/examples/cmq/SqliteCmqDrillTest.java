package io.dedupstore.examples.cmq;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;

/** The drill on an SQLite file, which another connection locks. */
class SqliteCmqDrillTest extends CmqDrill {
    @TempDir
    static Path folder;

    private Connection locker;

    @Override
    protected String url() {
        return "jdbc:sqlite:" + folder.resolve("drill.db") + "?journal_mode=WAL&synchronous=FULL";
    }

    @Override
    protected void breakDatabase() {
        try {
            locker = DriverManager.getConnection(url());
            try (Statement statement = locker.createStatement()) {
                statement.execute("BEGIN EXCLUSIVE");
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void mendDatabase() {
        try {
            locker.close();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
