package io.dedupstore.tck;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A real dialect whose answers get lost, as a cut network loses them: the database does, or does not do, what it was told,
 * and the engine sees an error. Nothing of the database is imitated. Faults are taken in the order they were planned.
 */
final class FaultyDialect extends ForwardingDialect {
    /** Where a fault strikes. */
    enum Point {
        BEGIN,
        CLAIM,
        /** The claim's statement is carried out first. */
        CLAIM_ANSWER,
        /** The commit does not reach the database, which rolls back. */
        COMMIT_REQUEST,
        /** The commit is carried out. */
        COMMIT_REPLY,
        ROLLBACK_REPLY,
        FIND
    }

    /** An error that was planned; its text quotes values as servers do, so that leaks are seen (E6). */
    static final class InjectedFault extends SQLException {
        static final String QUOTED = "Detail: Key (card)=(quoted-secret) already exists.";
        private static final long serialVersionUID = 1L;

        private final FailureKind kind;

        InjectedFault(FailureKind kind) {
            super(QUOTED, "XXXXX", 4711);
            this.kind = kind;
        }
    }

    private final Map<Point, Deque<FailureKind>> plan = new EnumMap<>(Point.class);
    private final Map<Point, FailureKind> always = new EnumMap<>(Point.class);
    private final Deque<Runnable> beforeClaims = new ArrayDeque<>();
    private int claims;
    private int looks;
    private int vanishing;

    FaultyDialect(DedupDialect dialect) {
        super(dialect);
    }

    FaultyDialect fail(Point point, FailureKind... kinds) {
        plan.computeIfAbsent(point, p -> new ArrayDeque<>()).addAll(java.util.List.of(kinds));
        return this;
    }

    FaultyDialect failAlways(Point point, FailureKind kind) {
        always.put(point, kind);
        return this;
    }

    /** The claimed rows are gone when they are read, so many times. */
    FaultyDialect vanish(int times) {
        vanishing = times;
        return this;
    }

    /** Runs something just before the n-th claim is sent. */
    FaultyDialect beforeClaim(int number, Runnable action) {
        while (beforeClaims.size() < number) {
            beforeClaims.add(() -> {});
        }
        beforeClaims.removeLast();
        beforeClaims.add(action);
        return this;
    }

    /** How many claims were sent. */
    int claims() {
        return claims;
    }

    /** How often a claim was looked up. */
    int looks() {
        return looks;
    }

    private @Nullable InjectedFault due(Point point) {
        Deque<FailureKind> planned = plan.get(point);
        FailureKind kind = planned == null ? null : planned.poll();
        if (kind == null) {
            kind = always.get(point);
        }
        return kind == null ? null : new InjectedFault(kind);
    }

    private void strike(Point point) throws InjectedFault {
        InjectedFault fault = due(point);
        if (fault != null) {
            throw fault;
        }
    }

    @Override
    public FailureKind classify(SQLException failure) {
        return failure instanceof InjectedFault injected ? injected.kind : super.classify(failure);
    }

    @Override
    public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
        looks++;
        strike(Point.FIND);
        return super.find(connection, key, lockWait);
    }

    @Override
    protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming real) throws SQLException {
        claims++;
        if (!beforeClaims.isEmpty()) {
            beforeClaims.remove().run();
        }
        strike(Point.CLAIM);
        if (vanishing > 0) {
            vanishing--;
            return ClaimAnswer.VANISHED;
        }
        ClaimAnswer answer = super.claim(connection, claim, real);
        strike(Point.CLAIM_ANSWER);
        return answer;
    }

    @Override
    public DedupTransaction begin(Connection connection, TransactionOptions options)
            throws SQLException, InterruptedException {
        strike(Point.BEGIN);
        DedupTransaction real = super.begin(connection, options);
        return new ForwardingTransaction(real) {
            @Override
            public void commit() throws SQLException {
                InjectedFault unsent = due(Point.COMMIT_REQUEST);
                if (unsent != null) {
                    real.rollback();
                    throw unsent;
                }
                real.commit();
                strike(Point.COMMIT_REPLY);
            }

            @Override
            public void rollback() throws SQLException {
                real.rollback();
                strike(Point.ROLLBACK_REPLY);
            }
        };
    }
}
