package io.dedupstore.sqlite;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.TableName;
import io.dedupstore.spi.TransactionOptions;
import io.dedupstore.tck.ForwardingDialect;
import io.dedupstore.tck.ForwardingTransaction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;

/** What other processes do to a ledger's file. */
final class Child {
    private static final BufferedReader IN =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private Child() {}

    /**
     * Does one of the things below.
     *
     * @param args what, on which file, and with what
     * @throws Exception if it cannot be done
     */
    public static void main(String[] args) throws Exception {
        Ledger ledger = Ledger.open(Path.of(args[1]));
        switch (args[0]) {
            case "hold" -> hold(ledger);
            case "consume" -> consume(ledger, Integer.parseInt(args[2]));
            case "apply" -> apply(ledger, args[2], args[3]);
            case "deliver" -> deliver(ledger, args[2]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Prints a line and waits to be told how to go on; when the parent is gone, so is this process. */
    private static String ask(String line) {
        System.out.println(line);
        try {
            String answer = IN.readLine();
            if (answer == null) {
                Runtime.getRuntime().halt(1);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holds the file's write lock. */
    private static void hold(Ledger ledger) throws SQLException {
        try (Connection connection = ledger.connection();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("UPDATE account SET cents = -1");
            statement.execute(ask("holds"));
        }
        System.out.println("ended");
    }

    /** Applies the events 0 to count-1, as one of several competing consumers. */
    private static void consume(Ledger ledger, int count) {
        DedupStore store = ledger.store(builder -> builder.lockWait(Duration.ofSeconds(30)));
        ask("ready");
        int applied = 0;
        for (int i = 0; i < count; i++) {
            applied +=
                    store.claimAndApply(Ledger.event("event-" + i), Ledger::credit) instanceof Outcome.Applied ? 1 : 0;
        }
        System.out.println(applied);
    }

    /** Applies an event and stops shortly before, in, or after its commit. */
    private static void apply(Ledger ledger, String id, String when) throws SQLException {
        DedupDialect written = stopsWhenWritten(ledger, when.equals("written"));
        DedupStore store = ledger.store(builder -> builder.dialect(written).listener(new DedupListener() {
            @Override
            public void applied(Event event, UUID claimId, Duration took) {
                if (when.equals("after")) {
                    ask("after");
                }
            }
        }));
        store.claimAndApply(Ledger.event(id), tx -> {
            Ledger.credit(tx);
            return when.equals("before") ? ask("before") : "";
        });
        System.out.println("ended");
    }

    /** Stops, if it is to, when the commit is in the file and nobody has been told. */
    private static DedupDialect stopsWhenWritten(Ledger ledger, boolean stops) throws SQLException {
        DedupDialect real;
        try (Connection connection = ledger.connection()) {
            real = new SqliteDialectProvider().dialect(connection, TableName.of(TableName.DEFAULT));
        }
        return new ForwardingDialect(real) {
            @Override
            public DedupTransaction begin(Connection connection, TransactionOptions options)
                    throws SQLException, InterruptedException {
                return new ForwardingTransaction(super.begin(connection, options)) {
                    @Override
                    public void commit() throws SQLException {
                        super.commit();
                        if (stops) {
                            ask("written");
                        }
                    }
                };
            }
        };
    }

    /** Delivers an event often and in all ways, to see what is logged. */
    private static void deliver(Ledger ledger, String payload) throws SQLException {
        DedupStore store = ledger.store();
        Event event = Event.of(Ledger.event("logged").key(), PayloadHash.ofText(payload));
        store.consume(event, Ledger::credit);
        say("--- duplicates");
        Claim stored = null;
        for (int i = 0; i < 3; i++) {
            store.consume(event, Ledger::credit);
            store.consume(event.redelivered(true), Ledger::credit);
            stored = store.find(event.key()).orElseThrow();
            try (Connection connection = ledger.connection()) {
                connection.setAutoCommit(false);
                store.claim(connection, event);
                connection.commit();
            }
        }
        say("--- conflicts");
        Event altered = Event.of(event.key(), PayloadHash.ofText(payload + payload));
        store.consume(altered, Ledger::credit);
        store.consume(altered.redelivered(true), Ledger::credit);
        say("--- failures");
        Event failing = Event.of(Ledger.event("failing").key(), PayloadHash.ofText(payload));
        store.consume(failing, tx -> {
            throw new IllegalStateException(payload);
        });
        store.consume(failing, tx -> tx.execute("INSERT INTO account VALUES ('a', ?)", payload));
        store.consume(failing, tx -> tx.execute("UPDATE account SET cents = ?", payload));
        store.consume(failing, tx -> {
            try {
                return tx.execute("INSERT OR ROLLBACK INTO account VALUES ('a', 1)");
            } catch (RuntimeException swallowed) {
                return payload;
            }
        });
        store.consume(failing, tx -> {
            tx.execute("ROLLBACK");
            return payload;
        });
        System.out.println("delivered " + stored.claimId());
    }

    /** A mark in the log. */
    private static void say(String mark) {
        System.err.println(mark);
    }
}
