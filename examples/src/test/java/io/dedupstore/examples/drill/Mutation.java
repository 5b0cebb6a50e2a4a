package io.dedupstore.examples.drill;

import io.dedupstore.Claim;
import io.dedupstore.DedupStore;
import io.dedupstore.EventKey;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupDialectProvider;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TableName;
import io.dedupstore.spi.TransactionOptions;
import io.dedupstore.spi.TransactionState;
import io.dedupstore.tck.ForwardingDialect;
import io.dedupstore.tck.ForwardingTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Stores that each break one thing, under the real engine, and how the checker says it. */
enum Mutation {
    /** Reports the commit before it is known to have succeeded. */
    ACKNOWLEDGES_BEFORE_THE_COMMIT(EarlyAck.class, "request lost", Mutation.NOT_APPLIED),
    /** Commits whatever state the transaction is in. */
    IGNORES_SWALLOWED_FAILURES(Swallowing.class, "swallows", Mutation.NOT_APPLIED + "|has an effect without a claim"),
    /** Cannot tell its own claim from another's while a commit is in doubt. */
    KNOWS_NO_CLAIM_ID(NoClaimId.class, "reply lost", "all its deliveries say that they did not make it"),
    /** Runs the work again after a commit in doubt, whatever stands there. */
    RETRIES_WITHOUT_CLAIMING(NoReclaim.class, "reply lost", "was applied \\d+ times");

    /** If the message came once only, it is lost; if it came again, it was applied then, and reported twice. */
    private static final String NOT_APPLIED =
            "was acknowledged and its payload has no effect|was reported as applied \\d+ times";

    private final Class<? extends StoreMaker> maker;
    private final String fault;
    private final String symptom;

    Mutation(Class<? extends StoreMaker> maker, String fault, String symptom) {
        this.maker = maker;
        this.fault = fault;
        this.symptom = symptom;
    }

    Class<? extends StoreMaker> maker() {
        return maker;
    }

    String fault() {
        return fault;
    }

    boolean isFoundIn(String violation) {
        return Pattern.compile(symptom).matcher(violation).find();
    }

    /** Puts a wrong dialect under the store. */
    abstract static class Mutant implements StoreMaker {
        @Override
        public DedupStore make(DedupStore.Builder builder, DataSource pool, String table) throws SQLException {
            while (true) {
                try (Connection connection = pool.getConnection()) {
                    return builder.dialect(mutate(real(connection, TableName.of(table))))
                            .build();
                } catch (java.sql.SQLTransientConnectionException away) {
                    LockSupport.parkNanos(1_000_000); // a server that is being restarted
                }
            }
        }

        private static DedupDialect real(Connection connection, TableName table) throws SQLException {
            for (DedupDialectProvider provider : ServiceLoader.load(DedupDialectProvider.class)) {
                if (provider.supports(connection.getMetaData())) {
                    return provider.dialect(connection, table);
                }
            }
            throw new AssertionError("no store module for " + DriverManager.class);
        }

        abstract DedupDialect mutate(DedupDialect real);
    }

    static final class EarlyAck extends Mutant {
        @Override
        DedupDialect mutate(DedupDialect real) {
            return new ForwardingDialect(real) {
                @Override
                public DedupTransaction begin(Connection connection, TransactionOptions options)
                        throws SQLException, InterruptedException {
                    return new ForwardingTransaction(super.begin(connection, options)) {
                        @Override
                        public void commit() {
                            try {
                                super.commit();
                            } catch (SQLException tooLate) {
                                return; // it has been reported
                            }
                        }
                    };
                }
            };
        }
    }

    static final class Swallowing extends Mutant {
        @Override
        DedupDialect mutate(DedupDialect real) {
            return new ForwardingDialect(real) {
                @Override
                public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) {
                    return TransactionState.WHOLE;
                }

                @Override
                public boolean isMarked(Connection connection) {
                    return true;
                }

                @Override
                public DedupTransaction begin(Connection connection, TransactionOptions options)
                        throws SQLException, InterruptedException {
                    return new ForwardingTransaction(super.begin(connection, options)) {
                        @Override
                        public void commit() throws SQLException {
                            if (connection.getAutoCommit()) {
                                super.commit();
                            } else {
                                connection.commit(); // which the driver reports as a success
                            }
                        }
                    };
                }
            };
        }
    }

    static final class NoClaimId extends Mutant {
        @Override
        DedupDialect mutate(DedupDialect real) {
            return new ForwardingDialect(real) {
                @Override
                protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming way) throws SQLException {
                    return way.claim(claim) instanceof ClaimAnswer.Taken taken
                            ? new ClaimAnswer.Taken(anonymous(taken.claim()))
                            : ClaimAnswer.CLAIMED;
                }
            };
        }

        private static Claim anonymous(Claim claim) {
            return new Claim(claim.key(), claim.hash(), UUID.randomUUID(), claim.claimedAt());
        }
    }

    static final class NoReclaim extends Mutant {
        private final Set<EventKey> inDoubt = ConcurrentHashMap.newKeySet();

        @Override
        DedupDialect mutate(DedupDialect real) {
            return new ForwardingDialect(real) {
                @Override
                public DedupTransaction begin(Connection connection, TransactionOptions options)
                        throws SQLException, InterruptedException {
                    return new ForwardingTransaction(super.begin(connection, options)) {
                        private EventKey key;

                        @Override
                        public ClaimAnswer claim(NewClaim claim) throws SQLException {
                            key = claim.key();
                            ClaimAnswer answer = super.claim(claim);
                            return inDoubt.remove(key) ? ClaimAnswer.CLAIMED : answer;
                        }

                        @Override
                        public void commit() throws SQLException {
                            try {
                                super.commit();
                            } catch (SQLException e) {
                                inDoubt.add(key);
                                throw e;
                            }
                        }
                    };
                }

                @Override
                public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) {
                    return TransactionState.WHOLE;
                }
            };
        }
    }
}
