package io.dedupstore.examples.credit;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * The accounts of the examples, in SQL that every database knows. Credits are counted apart from the balance, so that one
 * made twice shows whatever its amount.
 */
public final class Ledger {
    /** Holds the accounts. */
    public static final String TABLE = "dedup_example_account";

    /** For the store's claims. */
    public static final String CLAIM_TABLE = "dedup_example_claim";

    /** What every account holds in the beginning, in minor units. */
    public static final long OPENING_BALANCE = 10_000;

    /**
     * What an account holds, and how many credits made it so.
     *
     * @param balance in minor units
     * @param credits how many
     */
    public record State(long balance, long credits) {}

    private Ledger() {}

    /**
     * Creates the table.
     *
     * @param jdbi the database
     */
    public static void create(Jdbi jdbi) {
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE " + TABLE + " (account VARCHAR(64) NOT NULL PRIMARY KEY,"
                + " balance NUMERIC(19) NOT NULL, credits NUMERIC(19) NOT NULL)"));
    }

    /**
     * Opens an account.
     *
     * @param jdbi the database
     * @param account its name
     */
    public static void open(Jdbi jdbi, String account) {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO " + TABLE + " (account, balance, credits) VALUES (?, ?, 0)", account, OPENING_BALANCE));
    }

    /**
     * The work: makes a credit in the handle's transaction.
     *
     * @param tx the transaction
     * @param credit what to credit
     */
    public static void credit(Handle tx, Credit credit) {
        int rows = tx.execute(
                "UPDATE " + TABLE + " SET balance = balance + ?, credits = credits + 1 WHERE account = ?",
                credit.amount(),
                credit.account());
        if (rows != 1) {
            throw new IllegalStateException(rows + " accounts were credited instead of 1.");
        }
    }

    /**
     * Reads an account.
     *
     * @param jdbi the database
     * @param account its name
     * @return what it holds
     */
    public static State read(Jdbi jdbi, String account) {
        return jdbi.withHandle(
                handle -> handle.select("SELECT balance, credits FROM " + TABLE + " WHERE account = ?", account)
                        .map((row, context) -> new State(row.getLong(1), row.getLong(2)))
                        .one());
    }
}
