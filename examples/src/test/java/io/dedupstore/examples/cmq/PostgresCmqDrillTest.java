package io.dedupstore.examples.cmq;

import io.dedupstore.examples.OwnServer;
import io.dedupstore.servers.EmbeddedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The drill on PostgreSQL, which is killed. */
class PostgresCmqDrillTest extends CmqDrill {
    private static EmbeddedServer database;

    @BeforeAll
    static void startDatabase() throws Exception {
        database = OwnServer.start("postgres");
    }

    @AfterAll
    static void endDatabase() {
        if (database != null) {
            database.close();
        }
    }

    @Override
    protected String url() {
        return database.url();
    }

    @Override
    protected void breakDatabase() {
        database.kill();
    }

    @Override
    protected void mendDatabase() {
        database.restart();
    }
}
