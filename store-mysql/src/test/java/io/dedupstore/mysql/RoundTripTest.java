package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
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
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The speed budget, in round trips, which no busy machine changes. */
class RoundTripTest {
    private static final int RUNS = 4;

    private CountingProxy proxy;
    private HikariDataSource pool;

    private void open(Servers server, boolean recommended, boolean autoCommit) throws IOException {
        new Scene(server.url()).ready();
        proxy = new CountingProxy(
                URI.create(server.url().substring("jdbc:".length())).getPort());
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(server, recommended));
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(1);
        pool = new HikariDataSource(config);
    }

    private String url(Servers server, boolean recommended) {
        String url = server.url().replaceFirst(":[0-9]+/", ":" + proxy.port() + "/");
        return recommended ? Urls.recommended(url) : url;
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

    /** What the business transaction costs without a store, on the same pool. */
    private int bare() throws SQLException {
        proxy.take();
        try (Connection connection = pool.getConnection()) {
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(Scene.CREDIT);
            }
            connection.commit();
            connection.setAutoCommit(before);
        }
        return proxy.take();
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void ownedClaims(Servers server) throws Exception {
        open(server, true, true);
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        for (int i = 0; i < RUNS; i++) {
            Event event = Scene.event();
            int bare = bare();
            store.claimAndApply(event, Scene::credit);
            assertThat(proxy.take()).as("claim, work, commit").isEqualTo(bare + 1);
            assertThat(store.claimAndApply(event, Scene::credit)).isInstanceOf(Outcome.Duplicate.class);
            assertThat(proxy.take()).as("duplicate").isEqualTo(bare + 1);
            assertThat(store.claimAndApply(event.redelivered(true), Scene::credit))
                    .isInstanceOf(Outcome.Duplicate.class);
            assertThat(proxy.take()).as("redelivered duplicate").isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void ownedClaimsOnAPoolWithAutoCommitOff(Servers server) throws Exception {
        open(server, true, false);
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        for (int i = 0; i < RUNS; i++) {
            int bare = bare();
            store.claimAndApply(Scene.event(), Scene::credit);
            assertThat(proxy.take()).as("claim, work, commit").isEqualTo(bare + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void ownedClaimsInSessionsThatNeedSettings(Servers server) throws Exception {
        open(server, false, true);
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        for (int i = 0; i < RUNS; i++) {
            int bare = bare();
            store.claimAndApply(Scene.event(), Scene::credit);
            assertThat(proxy.take())
                    .as("settings, claim, work, commit, settings")
                    .isEqualTo(bare + 3);
        }
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    void joinedClaims(Servers server) throws Exception {
        open(server, true, true);
        DedupStore store = DedupStore.builder(pool).build();
        store.schema().validate();
        try (Connection connection = DriverManager.getConnection(url(server, true));
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            store.claim(connection, Scene.event());
            for (int i = 0; i < RUNS; i++) {
                Event event = Scene.event();
                proxy.take();
                assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Claimed.class);
                assertThat(proxy.take()).isEqualTo(1);
                assertThat(store.claim(connection, event)).isInstanceOf(ClaimResult.Duplicate.class);
                assertThat(proxy.take()).isEqualTo(2);
                statement.execute(Scene.CREDIT);
                connection.commit();
            }
        }
    }
}
