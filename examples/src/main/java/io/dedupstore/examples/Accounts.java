package io.dedupstore.examples;

import org.jdbi.v3.core.Handle;

/**
 * The business side: a table of accounts, in SQL that every database knows. Each replay has its own row of an account.
 * The credits are counted apart from the balance, so that a credit made twice shows whatever its amount.
 */
final class Accounts {
    /** Whatever the demo creates has a name that begins so. */
    static final String PREFIX = "dedup_demo_";

    static final String TABLE = PREFIX + "account";

    /** What every account holds in the beginning, in minor units. */
    static final long OPENING_BALANCE = 10_000;

    /** What an account holds, and how many credits made it so. */
    record State(long balance, long credits) {
        static final State OPENING = new State(OPENING_BALANCE, 0);

        State plus(long amount) {
            return new State(balance + amount, credits + 1);
        }
    }

    private Accounts() {}

    static void createTable(Handle handle) {
        handle.execute("CREATE TABLE " + TABLE + " (replay VARCHAR(16) NOT NULL, account VARCHAR(64) NOT NULL,"
                + " balance NUMERIC(19) NOT NULL, credits NUMERIC(19) NOT NULL, PRIMARY KEY (replay, account))");
    }

    static void open(Handle handle, Mode mode, String account) {
        handle.execute(
                "INSERT INTO " + TABLE + " (replay, account, balance, credits) VALUES (?, ?, ?, 0)",
                mode.word(),
                account,
                OPENING_BALANCE);
    }

    /** Makes a credit in the handle's transaction. */
    static void credit(Handle handle, Order order) {
        int rows = handle.execute(
                "UPDATE " + TABLE + " SET balance = balance + ?, credits = credits + 1"
                        + " WHERE replay = ? AND account = ?",
                order.amount(),
                order.mode().word(),
                order.account());
        if (rows != 1) {
            throw new IllegalStateException(rows + " accounts were credited instead of 1.");
        }
    }

    static State read(Handle handle, Mode mode, String account) {
        return handle.select(
                        "SELECT balance, credits FROM " + TABLE + " WHERE replay = ? AND account = ?",
                        mode.word(),
                        account)
                .map((row, context) -> new State(row.getLong(1), row.getLong(2)))
                .one();
    }
}
