package io.dedupstore.examples.drill;

import io.dedupstore.examples.drill.Tables.Effect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * The business tables, in SQL that every database knows. The journal of transfers has no key, on purpose: what was applied
 * twice must show.
 */
final class Bank {
    static final String PREFIX = "dedup_drill_";
    static final String ACCOUNT = PREFIX + "account";
    static final String JOURNAL = PREFIX + "journal";
    static final String CLAIM = PREFIX + "claim";
    static final long OPENING_BALANCE = 1_000_000;

    /** Two rows that exist to be locked. */
    static final int HOT = Transfer.ACCOUNTS + 1;

    private Bank() {}

    static void create(Handle handle) {
        handle.execute("CREATE TABLE " + ACCOUNT + " (id INTEGER NOT NULL PRIMARY KEY, balance BIGINT NOT NULL)");
        handle.execute("CREATE TABLE " + JOURNAL
                + " (event BIGINT NOT NULL, debit INTEGER NOT NULL, credit INTEGER NOT NULL, amount BIGINT NOT NULL)");
        for (int id = 1; id <= HOT + 1; id++) {
            handle.execute("INSERT INTO " + ACCOUNT + " (id, balance) VALUES (?, ?)", id, OPENING_BALANCE);
        }
    }

    static void drop(Handle handle) {
        for (String table : List.of(ACCOUNT, JOURNAL, CLAIM)) {
            handle.execute("DROP TABLE IF EXISTS " + table);
        }
    }

    /** The accounts in the order of their numbers, so that transfers do not deadlock unless they are told to. */
    static void transfer(Handle tx, Transfer t) {
        boolean up = t.from() < t.to();
        add(tx, up ? t.from() : t.to(), up ? -t.amount() : t.amount());
        add(tx, up ? t.to() : t.from(), up ? t.amount() : -t.amount());
        note(tx, t);
    }

    static void add(Handle tx, int account, long amount) {
        tx.execute("UPDATE " + ACCOUNT + " SET balance = balance + ? WHERE id = ?", amount, account);
    }

    static void note(Handle tx, Transfer t) {
        tx.execute(
                "INSERT INTO " + JOURNAL + " (event, debit, credit, amount) VALUES (?, ?, ?, ?)",
                t.number(),
                t.from(),
                t.to(),
                t.amount());
    }

    /** The tables as they are in the end; of the claims only which events have one. */
    static Tables read(Jdbi jdbi) {
        return jdbi.withHandle(handle -> {
            Map<Integer, Long> balances = new HashMap<>();
            handle.select("SELECT id, balance FROM " + ACCOUNT)
                    .map((row, context) -> balances.put(row.getInt(1), row.getLong(2)))
                    .list();
            List<Effect> effects = handle.select("SELECT event, debit, credit, amount FROM " + JOURNAL)
                    .map((row, context) ->
                            new Effect(new Transfer(row.getLong(1), row.getInt(2), row.getInt(3), row.getLong(4))))
                    .list();
            Set<String> claims = new HashSet<>(handle.select("SELECT event_id FROM " + CLAIM)
                    .mapTo(String.class)
                    .list());
            return new Tables(balances, effects, claims);
        });
    }
}
