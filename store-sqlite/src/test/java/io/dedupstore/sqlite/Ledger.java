package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;

/** An SQLite file with one account in it, and what is asked about it from outside. */
final class Ledger {
    static final long CREDIT = 2500;

    private final Path file;
    private final JournalMode journal;

    private Ledger(Path file, JournalMode journal) {
        this.file = file;
        this.journal = journal;
    }

    static Ledger create(Path file) throws SQLException {
        return create(file, JournalMode.WAL);
    }

    static Ledger create(Path file, JournalMode journal) throws SQLException {
        Ledger ledger = new Ledger(file, journal);
        ledger.execute("CREATE TABLE account (id TEXT NOT NULL PRIMARY KEY, cents INTEGER NOT NULL) STRICT");
        ledger.execute("INSERT INTO account VALUES ('a', 0)");
        ledger.store().schema().create();
        return ledger;
    }

    /** One that is there already, as another process opens it. */
    static Ledger open(Path file) {
        return new Ledger(file, JournalMode.WAL);
    }

    Path file() {
        return file;
    }

    String url() {
        return "jdbc:sqlite:" + file;
    }

    DataSource source() {
        return source(config -> {});
    }

    DataSource source(Consumer<SQLiteConfig> settings) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(journal);
        config.setSynchronous(SynchronousMode.NORMAL);
        settings.accept(config);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url());
        return source;
    }

    Connection connection() throws SQLException {
        return source().getConnection();
    }

    DedupStore store() {
        return store(builder -> {});
    }

    DedupStore store(Consumer<DedupStore.Builder> settings) {
        DedupStore.Builder builder = DedupStore.builder(source());
        settings.accept(builder);
        return builder.build();
    }

    static Event event(String id) {
        return Event.of(EventKey.of("ledger", id), PayloadHash.ofText("payload of " + id));
    }

    /** The work. */
    static Long credit(Handle tx) {
        tx.execute("UPDATE account SET cents = cents + ? WHERE id = 'a'", CREDIT);
        return tx.select("SELECT cents FROM account WHERE id = 'a'")
                .mapTo(Long.class)
                .one();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : -1;
        }
    }

    /** How often the account was credited, as another connection sees it. */
    long credits() throws SQLException {
        return number("SELECT cents FROM account WHERE id = 'a'") / CREDIT;
    }

    long claims() throws SQLException {
        return number("SELECT count(*) FROM dedup_claim");
    }

    /** The event left nothing, nor did any other, and its redelivery is applied. */
    void assertNothingRemains(Event event) throws SQLException {
        assertNothingRemains(event, 0);
    }

    /** The event left nothing, so that there are the credits of others only, and its redelivery is applied. */
    void assertNothingRemains(Event event, long creditsOfOthers) throws SQLException {
        assertThat(number("SELECT cents FROM account WHERE id = 'a'"))
                .as("cents")
                .isEqualTo(creditsOfOthers * CREDIT);
        assertThat(number("SELECT count(*) FROM account")).as("accounts").isEqualTo(1);
        assertThat(store().find(event.key())).as("claim").isEmpty();
        assertThat(store().claimAndApply(event, Ledger::credit))
                .as("the redelivery")
                .isInstanceOf(Outcome.Applied.class);
        assertThat(credits()).as("credits after the redelivery").isEqualTo(creditsOfOthers + 1);
    }
}
