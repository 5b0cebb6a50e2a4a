package io.dedupstore.explorer;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TableName;
import io.dedupstore.spi.TransactionOptions;
import io.dedupstore.spi.TransactionState;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * A dialect whose database is a {@link World}. Every call that reaches the server waits for its turn first, and is struck
 * as the explorer says.
 */
class Script implements DedupDialect {
    private static final ThreadLocal<World.Tx> OPEN = new ThreadLocal<>();

    /** A failure with its kind. */
    static final class Failed extends SQLException {
        private static final long serialVersionUID = 1L;
        final FailureKind kind;

        Failed(FailureKind kind) {
            this.kind = kind;
        }
    }

    /** What a step does on the server. */
    private interface Effect<T> {
        T on(World world);
    }

    private static <T> T step(Step step, World.Tx tx, Effect<T> effect) throws SQLException {
        Consumer consumer = Consumer.current();
        Strike strike = consumer.await(step);
        World world = consumer.world;
        if (tx != null && tx.severed && strike == Strike.NONE) {
            throw new Failed(FailureKind.CONNECTION);
        }
        if (strike == Strike.WAITED_TOO_LONG) {
            throw new Failed(FailureKind.LOCK_TIMEOUT);
        }
        T answer = strike.isCarriedOut() ? effect.on(world) : null;
        if (strike == Strike.NONE) {
            return answer;
        }
        if (tx != null && strike.leavesTransaction()) {
            tx.severed = true;
            tx.mayCommit = strike != Strike.LOST_UNNOTICED;
            world.abandoned.add(tx);
        } else if (tx != null) {
            world.end(tx);
        }
        if (strike.crashes()) {
            consumer.crashed = true;
            throw new Consumer.Crash();
        }
        throw new Failed(FailureKind.CONNECTION);
    }

    /** The work of a run. */
    static int work(int run) throws SQLException {
        World.Tx tx = OPEN.get();
        return step(Step.WORK, tx, world -> {
            tx.run = run;
            return run;
        });
    }

    /** Whether a claim would be answered now. */
    static boolean answers(World world) {
        return world.holder == null;
    }

    /** To be broken by the explorer's own test. */
    ClaimAnswer claimOn(World world, World.Tx tx, NewClaim claim) {
        if (world.committed != null) {
            return new ClaimAnswer.Taken(world.committed);
        }
        tx.claim = claim;
        world.holder = tx;
        return ClaimAnswer.CLAIMED;
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options) {
        if (Consumer.current().crashed) {
            throw new Consumer.Crash();
        }
        World.Tx tx = new World.Tx();
        OPEN.set(tx);
        return new DedupTransaction() {
            @Override
            public ClaimAnswer claim(NewClaim claim) throws SQLException {
                return step(Step.CLAIM, tx, world -> claimOn(world, tx, claim));
            }

            @Override
            public void commit() throws SQLException {
                step(Step.COMMIT, tx, world -> {
                    world.commit(tx);
                    return null;
                });
            }

            @Override
            public void rollback() throws SQLException {
                if (tx.severed) {
                    throw new Failed(FailureKind.CONNECTION); // it cannot reach the server
                }
                step(Step.ROLLBACK, tx, world -> {
                    world.end(tx);
                    return null;
                });
            }

            @Override
            public void close() {
                OPEN.remove();
            }
        };
    }

    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        return step(Step.FIND, null, world -> Optional.ofNullable(world.committed));
    }

    @Override
    public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) {
        return TransactionState.WHOLE;
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return failure instanceof Failed known ? known.kind : FailureKind.OTHER;
    }

    @Override
    public ClaimAnswer claim(Connection connection, NewClaim claim, Duration lockWait) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String name() {
        return "Script";
    }

    @Override
    public TableName table() {
        return TableName.of(TableName.DEFAULT);
    }

    @Override
    public String ddl() {
        return "";
    }

    @Override
    public void validate(Connection connection) {}

    /** A connection that is at rest and does nothing. */
    static Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                Script.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    Class<?> type = method.getReturnType();
                    if (type == boolean.class) {
                        return method.getName().equals("getAutoCommit");
                    }
                    return type == int.class ? (Object) Connection.TRANSACTION_READ_COMMITTED : null;
                });
    }
}
