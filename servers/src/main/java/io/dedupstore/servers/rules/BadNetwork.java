package io.dedupstore.servers.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupListener;
import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.Outcome;
import io.dedupstore.RetryPolicy;
import io.dedupstore.servers.ClientMessages;
import io.dedupstore.servers.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the rules of cut commits need: a server, a bad network in front of it, and an event whose effect is counted. */
abstract class BadNetwork {
    /** How many times the work was run. */
    protected final AtomicInteger runs = new AtomicInteger();

    /** What is to be applied. */
    protected final Event event = Bank.event();

    private Bank bank;
    private FaultProxy proxy;

    BadNetwork() {}

    /** {@return the server's URL, with the settings under which its commits are cut} */
    protected abstract String serverUrl();

    /** {@return what follows a fresh connection} */
    protected abstract ClientMessages protocol();

    /** {@return the parameter by which the driver waits one second for an answer, and no longer} */
    protected abstract String waitsOneSecond();

    /** {@return a statement after which the session waits for locks a second at most} */
    protected abstract String shortLockWait();

    /** {@return the query that tells the session's number} */
    protected abstract String sessionNumber();

    /**
     * Ends a session.
     *
     * @param handle another session
     * @param number its number
     */
    protected abstract void end(Handle handle, long number);

    /**
     * Says how many claims wait for another transaction.
     *
     * @param handle a session of its own
     * @return how many
     */
    protected abstract int waitingClaims(Handle handle);

    @BeforeEach
    final void prepare() throws IOException {
        bank = new Bank(Jdbi.create(serverUrl()));
        proxy = new FaultProxy(Bank.port(serverUrl()), this::protocol);
    }

    @AfterEach
    final void closeProxy() throws IOException {
        if (proxy != null) { // else there is no such server here
            proxy.close();
        }
    }

    /** {@return the bank, past the proxy} */
    protected final Bank bank() {
        return bank;
    }

    /** {@return the bad network} */
    protected final FaultProxy proxy() {
        return proxy;
    }

    /**
     * The URL through the proxy.
     *
     * @param parameters more of them
     * @return the URL
     */
    protected final String proxyUrl(String parameters) {
        return serverUrl().replaceFirst(":\\d+/", ":" + proxy.port() + "/") + parameters;
    }

    /**
     * Gives a store time.
     *
     * @param builder its builder
     * @return the builder
     */
    protected static DedupStore.Builder patient(DedupStore.Builder builder) {
        return builder.lockWait(Duration.ofSeconds(20))
                .retry(RetryPolicy.none()
                        .withPauses(Duration.ofMillis(1), Duration.ofMillis(20))
                        .withDeadline(Duration.ofSeconds(40)));
    }

    /**
     * A store behind the proxy, every connection of which is new.
     *
     * @param parameters more of the URL
     * @param settings more of the store
     * @return the store
     */
    protected final DedupStore cut(String parameters, UnaryOperator<DedupStore.Builder> settings) {
        DedupStore store = settings.apply(patient(DedupStore.builder(Jdbi.create(proxyUrl(parameters)))))
                .build();
        store.schema().validate();
        return store;
    }

    /** Acts when the store is about to try again. */
    static UnaryOperator<DedupStore.Builder> onRetry(IntConsumer action) {
        return builder -> builder.listener(new DedupListener() {
            @Override
            public void retry(Event failed, int attempts, Duration pause, Throwable failure) {
                action.accept(attempts);
            }
        });
    }

    /** {@return work that credits, and whose result is the number of the run} */
    protected final HandleCallback<Integer, RuntimeException> numbered() {
        return tx -> {
            Bank.credit(tx);
            return runs.incrementAndGet();
        };
    }

    /**
     * Requires that the event was applied once, by this run.
     *
     * @param outcome what the store said
     * @param run the number
     */
    protected final void assertAppliedByRun(Outcome<Integer> outcome, int run) {
        assertThat(outcome)
                .isEqualTo(new Outcome.Applied<>(
                        bank.store().find(event.key()).orElseThrow().claimId(), run));
        assertThat(bank.credits()).isEqualTo(1);
    }
}
