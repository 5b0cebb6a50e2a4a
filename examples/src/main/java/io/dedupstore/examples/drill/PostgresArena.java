package io.dedupstore.examples.drill;

import io.dedupstore.examples.UsageException;
import io.dedupstore.servers.PgBinaries;
import io.dedupstore.servers.PgMessages;
import io.dedupstore.servers.PgServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;

/** PostgreSQL. */
final class PostgresArena extends ServerArena {
    private static final String OTHERS =
            " FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

    PostgresArena() throws IOException, UsageException {
        super(
                PgServer.start(
                        PgBinaries.bin()
                                .orElseThrow(() ->
                                        new UsageException("The examples carry PostgreSQL for Linux on x86-64 only.")),
                        "deadlock_timeout = 100ms"),
                PgMessages::new);
    }

    @Override
    String parameters() {
        return "&socketTimeout=2&connectTimeout=2&loginTimeout=2&prepareThreshold=3&options=-c%20lock_timeout=400";
    }

    @Override
    Duration longerThanLocksAreWaitedFor() {
        return Duration.ofMillis(700);
    }

    @Override
    int endSessions(Random random) throws SQLException {
        return number("SELECT count(pg_terminate_backend(pid))" + OTHERS + " AND state <> 'idle' AND pid % 2 = "
                + random.nextInt(2));
    }

    @Override
    String countingSessions() {
        return "SELECT count(*)" + OTHERS;
    }
}
