package io.dedupstore.servers.rules;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** A patient store, and an account that its work credits, on undisturbed connections. */
public final class Bank {
    private static final Pattern PORT = Pattern.compile(":(\\d+)/");
    private static final String CREDITS = "SELECT cents FROM cut_account WHERE id = 1";

    private final Jdbi jdbi;
    private final DedupStore store;
    private final long before;

    /** Creates the tables that are missing. */
    Bank(Jdbi jdbi) {
        this.jdbi = jdbi;
        this.store = DedupStore.builder(jdbi).lockWait(Duration.ofSeconds(20)).build();
        store.schema().create();
        this.before = jdbi.withHandle(handle -> {
            handle.execute(
                    "CREATE TABLE IF NOT EXISTS cut_account (id INTEGER NOT NULL PRIMARY KEY, cents BIGINT NOT NULL)");
            if (handle.select(CREDITS).mapTo(Long.class).findOne().isEmpty()) {
                handle.execute("INSERT INTO cut_account (id, cents) VALUES (1, 0)");
            }
            return handle.select(CREDITS).mapTo(Long.class).one();
        });
    }

    static int port(String url) {
        Matcher port = PORT.matcher(url);
        if (!port.find()) {
            throw new IllegalArgumentException("The URL has no port");
        }
        return Integer.parseInt(port.group(1));
    }

    static Event event() {
        return Event.of(EventKey.of("billing", "event-" + UUID.randomUUID()), PayloadHash.ofText("payload"));
    }

    /**
     * The work.
     *
     * @param tx its transaction
     * @return how many accounts were credited
     */
    public static int credit(Handle tx) {
        return tx.execute("UPDATE cut_account SET cents = cents + 1 WHERE id = 1");
    }

    /** {@return a transaction that holds the account, until it is rolled back} */
    Handle holdAccount() {
        Handle holder = jdbi.open();
        holder.begin();
        credit(holder);
        return holder;
    }

    /** {@return how many credits are there since the test began} */
    public long credits() {
        return with(handle -> handle.select(CREDITS).mapTo(Long.class).one()) - before;
    }

    /** {@return the store} */
    public DedupStore store() {
        return store;
    }

    /**
     * Does something in a session of its own.
     *
     * @param action what
     * @return its result
     * @param <T> of the result
     * @param <X> what may go wrong
     */
    public <T extends @Nullable Object, X extends Exception> T with(HandleCallback<T, X> action) throws X {
        return jdbi.withHandle(action);
    }
}
