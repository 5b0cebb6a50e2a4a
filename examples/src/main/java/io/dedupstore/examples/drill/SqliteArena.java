package io.dedupstore.examples.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** An SQLite file. It has one writer at a time, so no deadlocks; and no server that could be killed, only processes. */
final class SqliteArena implements Arena {
    private static final Duration HELD = Duration.ofMillis(1200);

    private final Path folder;

    SqliteArena() throws IOException {
        this.folder = Files.createTempDirectory("dedup-drill");
    }

    @Override
    public String consumersUrl() {
        return url();
    }

    @Override
    public String url() {
        return "jdbc:sqlite:" + folder.resolve("drill.db") + "?journal_mode=WAL&synchronous=FULL";
    }

    @Override
    public List<Fault> faults() {
        return List.of(Arena.holdLock(url(), HELD), Fault.of("old snapshot held, log truncated", random -> {
            try (Connection reader = DriverManager.getConnection(url());
                    Statement statement = reader.createStatement()) {
                statement.execute("BEGIN");
                statement.execute("SELECT count(*) FROM " + Bank.ACCOUNT);
                Arena.pause(Arena.upTo(random, 300));
                statement.execute("COMMIT");
                statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
                return 1;
            } catch (SQLException busy) {
                return 0;
            }
        }));
    }

    /** Rolls the whole transaction back, claim and all. */
    @Override
    public String spoiling() {
        return "INSERT OR ROLLBACK INTO " + Bank.ACCOUNT + " (id, balance) VALUES (1, 0)";
    }

    @Override
    public Set<Trouble> troubles() {
        return EnumSet.complementOf(EnumSet.of(Trouble.NONE, Trouble.LOCKS_UP, Trouble.LOCKS_DOWN));
    }

    @Override
    public void settle() {
        // the consumers have ended, and with them their locks
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
