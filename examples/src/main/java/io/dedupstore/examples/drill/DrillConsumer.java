package io.dedupstore.examples.drill;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A consumer process with several threads. It takes deliveries from its standard input, hands them to the store, and
 * writes to its standard output what the source is to do. When its standard input ends, it finishes what it has.
 */
final class DrillConsumer {
    static final String NAME = "drill";

    private static final Duration LOCK_WAIT = Duration.ofMillis(800);
    private static final RetryPolicy RETRY = RetryPolicy.defaults().withDeadline(Duration.ofSeconds(3));
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final long POOL_PATIENCE_MS = 1000;

    private final Observer observer = new Observer();
    private final DedupStore store;
    private final Start start;
    private final DataOutputStream out;

    private DrillConsumer(Start start, HikariDataSource pool, DataOutputStream out)
            throws ReflectiveOperationException, SQLException {
        this.start = start;
        this.out = out;
        StoreMaker maker = Class.forName(start.maker())
                .asSubclass(StoreMaker.class)
                .getDeclaredConstructor()
                .newInstance();
        this.store = make(maker, pool);
    }

    /** The database may just be away. */
    private DedupStore make(StoreMaker maker, HikariDataSource pool) throws SQLException {
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (true) {
            try {
                DedupStore.Builder settings = DedupStore.builder(pool)
                        .lockWait(LOCK_WAIT)
                        .retry(RETRY)
                        .listener(observer);
                return maker.make(settings, pool, Bank.CLAIM);
            } catch (TransientStoreException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }

    /** For {@link ConsumerJvm}. */
    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        System.setOut(System.err);
        Start start = Start.readFrom(in);
        ExecutorService workers = Executors.newFixedThreadPool(start.threads());
        try (HikariDataSource pool = pool(start)) {
            DrillConsumer consumer = new DrillConsumer(start, pool, out);
            out.writeBoolean(true); // ready
            out.flush();
            while (true) {
                Handed delivery = Handed.readFrom(in);
                workers.execute(() -> consumer.consume(delivery));
            }
        } catch (EOFException end) {
            return;
        } finally {
            workers.shutdown();
        }
    }

    private static HikariDataSource pool(Start start) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(start.url());
        config.setMaximumPoolSize(start.threads());
        config.setConnectionTimeout(POOL_PATIENCE_MS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private void consume(Handed delivery) {
        Transfer transfer = delivery.transfer();
        Event event =
                Event.of(EventKey.of(NAME, transfer.event()), hash(transfer)).redelivered(delivery.redelivered());
        observer.begin();
        Disposition disposition = store.consume(event, tx -> Work.run(tx, delivery, start.spoiling()));
        boolean interrupted = Thread.interrupted(); // R4 leaves the flag for us
        if (delivery.trouble() == Trouble.DIES_AFTER_COMMIT) {
            Runtime.getRuntime().halt(1);
        }
        answer(new Reply(delivery.id(), disposition, observer.saw(), observer.retries(interrupted)));
    }

    private static PayloadHash hash(Transfer transfer) {
        return PayloadHash.fields()
                .number("from", transfer.from())
                .number("to", transfer.to())
                .number("amount", transfer.amount())
                .hash();
    }

    private synchronized void answer(Reply reply) {
        try {
            reply.writeTo(out);
        } catch (IOException e) {
            Runtime.getRuntime().halt(1); // the source has gone
        }
    }
}
