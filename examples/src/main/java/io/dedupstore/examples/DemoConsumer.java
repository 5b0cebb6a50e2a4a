package io.dedupstore.examples;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;

/**
 * The consumer, a process of its own. It takes one delivery after another from its standard input, applies it with or
 * without the claim, and says on its standard output what came of it. At the chosen point it says so and waits: to be
 * killed there, or to go on.
 */
final class DemoConsumer {
    /** The consumer's name in its claims. */
    static final String NAME = "demo";

    static final String CLAIM_TABLE = Accounts.PREFIX + "claim";

    /** How long it waits for another consumer, by a claim or by a lock; no database rounds whole seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Jdbi plain;
    private final DedupStore store;
    private final DataInputStream in;
    private final DataOutputStream out;

    private DemoConsumer(String url, DataInputStream in, DataOutputStream out) {
        this.plain = Jdbi.create(url);
        // the claim bounds its wait by itself; without one, the wait for the account's lock must be bounded
        plain.getConfig(SqlStatements.class).setQueryTimeout((int) PATIENCE.toSeconds());
        this.store = store(Jdbi.create(url));
        this.in = in;
        this.out = out;
    }

    static DedupStore store(Jdbi jdbi) {
        return DedupStore.builder(jdbi).table(CLAIM_TABLE).lockWait(PATIENCE).build();
    }

    /** For {@link ConsumerProcess}. The URL comes by standard input: every user of the machine can see arguments. */
    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        System.setOut(System.err);
        try {
            DemoConsumer consumer = new DemoConsumer(in.readUTF(), in, out);
            while (true) {
                consumer.consume(Order.readFrom(in));
            }
        } catch (EOFException e) {
            // the source has ended, and so does its consumer, uncommitted if it stood at a point
            return;
        }
    }

    private void consume(Order order) throws IOException {
        Answer answer;
        try {
            answer = order.mode() == Mode.WITH_CLAIM ? applyOnce(order) : applyAlways(order);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            answer = failed(e);
        }
        if (answer.disposition() == Disposition.ACK && order.then() == Then.DIE_AFTER_COMMIT) {
            stopHere();
        }
        answer.writeTo(out);
    }

    /** What this library is for. */
    private Answer applyOnce(Order order) throws Exception {
        PayloadHash hash = PayloadHash.fields()
                .text("account", order.account())
                .number("amount", order.amount())
                .hash();
        Event event = Event.of(EventKey.of(NAME, order.event()), hash).redelivered(order.redelivered());
        Outcome<?> outcome = store.claimAndApply(event, handle -> work(handle, order));
        Ending ending = outcome instanceof Outcome.Applied ? Ending.APPLIED : Ending.DUPLICATE;
        return new Answer(ending, Disposition.of(outcome));
    }

    /** What a consumer does that trusts every delivery to be the first. */
    private Answer applyAlways(Order order) throws Exception {
        plain.inTransaction(handle -> work(handle, order));
        return new Answer(Ending.APPLIED, Disposition.ACK);
    }

    /** The business change, the same in both replays. */
    private Mode work(Handle handle, Order order) throws IOException, WorkRefused {
        Accounts.credit(handle, order);
        switch (order.then()) {
            case ROLL_BACK -> throw new WorkRefused();
            case DIE_BEFORE_COMMIT, OUTRUN -> stopHere();
            case ACK, DIE_AFTER_COMMIT -> {
                // goes on to the commit
            }
        }
        return order.mode();
    }

    private void stopHere() throws IOException {
        Answer.AT_THE_POINT.writeTo(out);
        in.readBoolean();
    }

    private static Answer failed(Exception failure) {
        Ending ending;
        if (failure instanceof WorkRefused) {
            ending = Ending.ROLLED_BACK;
        } else if (failure instanceof PayloadConflictException) {
            ending = Ending.CONFLICT;
        } else if (failure instanceof ClaimInFlightException) {
            ending = Ending.IN_FLIGHT;
        } else if (!(failure instanceof DedupException) && Failures.isLockTimeout(failure)) {
            ending = Ending.LOCK_TIMEOUT;
        } else {
            ending = Ending.FAILED;
            // the store's own messages are safe to show, a driver's may quote values
            System.err.println("The consumer failed: "
                    + (failure instanceof DedupException ? failure.getMessage() : Failures.describe(failure)));
        }
        return new Answer(ending, Disposition.of(failure));
    }

    /** The business says no, after it has begun. */
    private static final class WorkRefused extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
