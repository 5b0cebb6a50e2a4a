package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** E5: sources and connections that cannot serve. */
@Timeout(60)
class SqliteBadInputTest {
    @TempDir
    Path folder;

    private final Event event = Ledger.event("bad");
    private Ledger ledger;

    @BeforeEach
    void create() throws SQLException {
        ledger = Ledger.create(folder.resolve("ledger.db"));
    }

    private static DataSource source(String url) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url);
        return source;
    }

    private static DedupStore store(DataSource source) {
        return DedupStore.builder(source).retry(RetryPolicy.none()).build();
    }

    private static void assertTransient(Reason reason, ThrowingCallable call) {
        assertThat(catchThrowable(call)).isInstanceOfSatisfying(TransientStoreException.class, failure -> {
            assertThat(failure.reason()).isEqualTo(reason);
            assertThat(failure.disposition()).isEqualTo(Disposition.RETRY);
        });
    }

    private static void assertConfiguration(String says, ThrowingCallable call) {
        assertThat(catchThrowable(call))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining(says);
    }

    @Test
    void e5_closedPool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(ledger.url());
        HikariDataSource pool = new HikariDataSource(config);
        DedupStore store = store(pool);
        assertThat(store.claimAndApply(event, Ledger::credit)).isInstanceOf(Outcome.Applied.class);
        pool.close();
        assertTransient(Reason.CONNECTION, () -> store.claimAndApply(event, Ledger::credit));
        assertTransient(Reason.CONNECTION, () -> store.find(event.key()));
        assertTransient(Reason.CONNECTION, () -> store.schema().validate());
        assertThat(store.consume(event, Ledger::credit)).isEqualTo(Disposition.RETRY);
        assertThat(catchThrowable(() -> store(pool)))
                .isInstanceOf(TransientStoreException.class)
                .hasMessageContaining("the pool is open");
    }

    @Test
    void e5_readOnlyFile() throws SQLException {
        Event stored = Ledger.event("stored");
        ledger.store().claimAndApply(stored, Ledger::credit);
        for (DataSource readOnly : new DataSource[] {
            ledger.source(config -> config.setReadOnly(true)), source("jdbc:sqlite:file:" + ledger.file() + "?mode=ro")
        }) {
            DedupStore store = store(readOnly);
            assertConfiguration("not writable", () -> store.claimAndApply(event, Ledger::credit));
            assertThat(store.consume(event, Ledger::credit)).isEqualTo(Disposition.RETRY);
            assertThat(store.find(stored.key())).isPresent();
            assertThat(store.claimAndApply(stored.redelivered(true), Ledger::credit))
                    .isInstanceOf(Outcome.Duplicate.class);
            store.schema().validate();
        }
        ledger.assertNothingRemains(event, 1);
    }

    @Test
    void e5_readOnlyFileWithoutTheTable() throws SQLException {
        Path file = folder.resolve("empty.db");
        Ledger.create(file).execute("DROP TABLE dedup_claim");
        DedupStore store = store(source("jdbc:sqlite:file:" + file + "?mode=ro"));
        assertThat(catchThrowable(() -> store.schema().create())).isInstanceOf(StoreConfigurationException.class);
        assertConfiguration("does not exist", () -> store.claimAndApply(event, Ledger::credit));
    }

    @Test
    void e5_fileThatIsNoDatabase() throws Exception {
        Path file = folder.resolve("noise.db");
        byte[] noise = new byte[8192];
        new Random(7).nextBytes(noise);
        Files.write(file, noise);
        Throwable caught =
                catchThrowable(() -> store(source("jdbc:sqlite:" + file)).claimAndApply(event, Ledger::credit));
        assertThat(caught).isInstanceOf(StoreConfigurationException.class).hasMessageContaining("code 26");
        assertThat(catchThrowable(
                        () -> store(source("jdbc:sqlite:" + file)).schema().create()))
                .isInstanceOf(DedupException.class)
                .hasMessageContaining("code 26");
        assertThat(Files.readAllBytes(file)).isEqualTo(noise);
    }

    @Test
    void e5_fileThatTurnedIntoNoDatabaseWhileTheStoreIsInUse() throws Exception {
        Path file = folder.resolve("spoilt.db");
        Ledger spoilt = Ledger.create(file);
        DedupStore store = store(source("jdbc:sqlite:" + file));
        store.claimAndApply(event, Ledger::credit);
        byte[] noise = new byte[(int) Files.size(file)];
        new Random(7).nextBytes(noise);
        Files.write(file, noise);
        Files.deleteIfExists(Path.of(spoilt.file() + "-wal"));
        Files.deleteIfExists(Path.of(spoilt.file() + "-shm"));
        for (Event each : new Event[] {event, event.redelivered(true), Ledger.event("next")}) {
            assertThat(catchThrowable(() -> store.claimAndApply(each, Ledger::credit)))
                    .isInstanceOf(StoreConfigurationException.class)
                    .hasMessageContaining("code 26");
            assertThat(store.consume(each, Ledger::credit)).isEqualTo(Disposition.RETRY);
        }
    }

    @Test
    void e5_missingFolder() {
        DataSource source = source("jdbc:sqlite:" + folder.resolve("missing").resolve("x.db"));
        assertTransient(Reason.CONNECTION, () -> store(source));
        assertThat(folder.resolve("missing")).doesNotExist();
    }

    @Test
    void a6_connectionOfAnotherDriver() {
        Connection foreign = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    Class<?> type = method.getReturnType();
                    return type == boolean.class ? (Object) false : null;
                });
        assertConfiguration("none of the SQLite driver's", () -> ledger.store().claim(foreign, event));
    }

    @Test
    void a6_closedConnection() throws SQLException {
        Connection connection = ledger.connection();
        connection.setAutoCommit(false);
        connection.close();
        assertThat(catchThrowable(() -> ledger.store().claim(connection, event)))
                .isInstanceOfSatisfying(
                        DedupException.class,
                        failure -> assertThat(failure.disposition()).isEqualTo(Disposition.RETRY));
    }
}
