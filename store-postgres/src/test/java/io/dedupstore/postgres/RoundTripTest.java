package io.dedupstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.servers.CountingProxy;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The speed budget, in round trips, which no busy machine changes. */
class RoundTripTest {
    private static final int RUNS = 12; // past the driver's change to server-side prepared statements

    private CountingProxy proxy;
    private HikariDataSource pool;

    @BeforeEach
    void open() throws IOException {
        new Scene(Servers.POSTGRES.url()).ready();
        URI server = URI.create(Servers.POSTGRES.url().substring("jdbc:".length()));
        proxy = new CountingProxy(server.getPort());
    }

    @AfterEach
    void close() throws IOException {
        if (pool != null) {
            pool.close();
        }
        if (proxy != null) {
            proxy.close();
        }
    }

    private String url(String parameters) {
        return "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres?user=postgres&sslmode=disable" + parameters;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&prepareThreshold=0",
                "&prepareThreshold=1",
                "&preferQueryMode=simple",
                "&preferQueryMode=extended",
                "&preferQueryMode=extendedCacheEverything",
                "&defaultRowFetchSize=1",
                "&options=-c%20lock_timeout=1min%20-c%20statement_timeout=2min"
            })
    void ownedClaims(String parameters) {
        pool = PostgresFixture.pool(url(parameters));
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        for (int i = 0; i < RUNS; i++) {
            Event event = Scene.event();
            proxy.take();
            store.claimAndApply(event, Scene::credit);
            assertThat(proxy.take()).as("claim, work, commit").isEqualTo(3);
            assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Duplicate.class);
            assertThat(proxy.take()).as("duplicate: claim, rollback").isEqualTo(2);
            assertThat(store.claimAndApply(event.redelivered(true), Scene::credit))
                    .isInstanceOf(Outcome.Duplicate.class);
            assertThat(proxy.take()).as("redelivered duplicate").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"never", "conservative"})
    void joinedClaims(String autosave) throws Exception {
        DedupStore store =
                DedupStore.builder(Scene.source(Servers.POSTGRES.url())).build();
        store.schema().validate();
        try (Connection connection = DriverManager.getConnection(url("&autosave=" + autosave));
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < RUNS; i++) {
                Event event = Scene.event();
                proxy.take();
                assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
                assertThat(proxy.take()).isEqualTo(1);
                assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
                assertThat(proxy.take()).isEqualTo(1);
                statement.execute(Scene.CREDIT);
                connection.commit();
            }
        }
    }
}
