package io.dedupstore.sqlite;

import io.dedupstore.Claim;
import io.dedupstore.EventKey;
import io.dedupstore.spi.ClaimAnswer;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.DedupTransaction;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.NewClaim;
import io.dedupstore.spi.TransactionOptions;
import io.dedupstore.spi.TransactionState;
import io.dedupstore.tck.ForwardingDialect;
import io.dedupstore.tck.ForwardingTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Dialects that each break one promise, as real ones have done (facts on peers, cases from the field). */
final class BrokenDialects {
    private BrokenDialects() {}

    static DedupDialect ignoringTheHash(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming how) throws SQLException {
                ClaimAnswer answer = super.claim(connection, claim, how);
                if (answer instanceof ClaimAnswer.Taken taken) {
                    Claim stored = taken.claim();
                    return new ClaimAnswer.Taken(
                            new Claim(stored.key(), claim.hash(), stored.claimId(), stored.claimedAt()));
                }
                return answer;
            }
        };
    }

    static DedupDialect withKeys(DedupDialect real, UnaryOperator<String> change) {
        return new ForwardingDialect(real) {
            private EventKey changed(EventKey key) {
                return new EventKey(key.tenant(), key.consumer(), change.apply(key.eventId()));
            }

            @Override
            protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming how) throws SQLException {
                return super.claim(connection, new NewClaim(changed(claim.key()), claim.hash(), claim.claimId()), how);
            }

            @Override
            public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
                return super.find(connection, changed(key), lockWait);
            }
        };
    }

    static DedupDialect foldingCase(DedupDialect real) {
        return withKeys(real, id -> id.toLowerCase(Locale.ROOT));
    }

    static DedupDialect trimming(DedupDialect real) {
        return withKeys(real, id -> id.isBlank() ? id : id.stripTrailing());
    }

    static DedupDialect truncating(DedupDialect real) {
        return withKeys(
                real,
                id -> id.substring(0, id.offsetByCodePoints(0, Math.min(100, id.codePointCount(0, id.length())))));
    }

    /** Claims in a transaction of its own: atomic with nothing. */
    static DedupDialect committingTheClaimAtOnce(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming how) throws SQLException {
                ClaimAnswer answer = super.claim(connection, claim, how);
                run(connection, "COMMIT");
                run(connection, "BEGIN IMMEDIATE");
                return answer;
            }
        };
    }

    /** As a driver whose commit() returns normally after the server has rolled back. */
    static DedupDialect rollingBackAtTheCommit(DedupDialect real) {
        return withTransactions(real, transaction -> new ForwardingTransaction(transaction) {
            @Override
            public void commit() throws SQLException {
                super.rollback();
            }
        });
    }

    /** As a connection that commits when it is closed. */
    static DedupDialect committingInsteadOfRollingBack(DedupDialect real) {
        return withTransactions(real, transaction -> new ForwardingTransaction(transaction) {
            @Override
            public void rollback() throws SQLException {
                super.commit();
            }
        });
    }

    static DedupDialect waitingTooLong(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public DedupTransaction begin(Connection connection, TransactionOptions options)
                    throws SQLException, InterruptedException {
                Duration longer = options.lockWait().multipliedBy(3);
                return super.begin(connection, new TransactionOptions(options.isolation(), longer));
            }
        };
    }

    static DedupDialect notWaiting(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public DedupTransaction begin(Connection connection, TransactionOptions options)
                    throws SQLException, InterruptedException {
                return super.begin(connection, new TransactionOptions(options.isolation(), Duration.ofMillis(1)));
            }
        };
    }

    static DedupDialect mistakingTheWaitBound(DedupDialect real) {
        return classifying(real, FailureKind.LOCK_TIMEOUT, FailureKind.OTHER);
    }

    static DedupDialect mistakingConstraintsForLostConnections(DedupDialect real) {
        return classifying(real, FailureKind.CONSTRAINT, FailureKind.CONNECTION);
    }

    static DedupDialect mistakingAMissingTable(DedupDialect real) {
        return new ForwardingDialect(classifying(real, FailureKind.CONFIGURATION, FailureKind.BUSY)) {
            @Override
            public void validate(Connection connection) {}
        };
    }

    private static DedupDialect classifying(DedupDialect real, FailureKind right, FailureKind wrong) {
        return new ForwardingDialect(real) {
            @Override
            public FailureKind classify(SQLException failure) {
                FailureKind kind = super.classify(failure);
                return kind == right ? wrong : kind;
            }
        };
    }

    static DedupDialect trustingTheWork(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) {
                return TransactionState.WHOLE;
            }
        };
    }

    static DedupDialect lettingTheWorkCommit(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public boolean endsTransaction(String sql) {
                return false;
            }
        };
    }

    static DedupDialect suspectingAnyFailure(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public TransactionState inspect(Connection connection, NewClaim claim, boolean suspicious) {
                return suspicious ? TransactionState.ABORTED : TransactionState.WHOLE;
            }
        };
    }

    static DedupDialect notValidating(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public void validate(Connection connection) {}
        };
    }

    static DedupDialect forgettingTheClaimId(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming how) throws SQLException {
                return super.claim(connection, new NewClaim(claim.key(), claim.hash(), UUID.randomUUID()), how);
            }
        };
    }

    /** Says "duplicate" by the count and never reads the row: the table must then not be asked for it. */
    static DedupDialect claimingTwiceInOneTransaction(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming how) throws SQLException {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("DELETE FROM " + table() + " WHERE event_id = '"
                            + claim.key().eventId().replace("'", "''") + "'");
                }
                return super.claim(connection, claim, how);
            }
        };
    }

    static DedupDialect datingInTheLocalZone(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            public Optional<Claim> find(Connection connection, EventKey key, Duration lockWait) throws SQLException {
                return super.find(connection, key, lockWait)
                        .map(claim -> new Claim(
                                key,
                                claim.hash(),
                                claim.claimId(),
                                claim.claimedAt().minusSeconds(3 * 3600 + 1800)));
            }
        };
    }

    static DedupDialect rollingBackTheCallersTransaction(DedupDialect real) {
        return new ForwardingDialect(real) {
            @Override
            protected ClaimAnswer claim(Connection connection, NewClaim claim, Claiming how) throws SQLException {
                ClaimAnswer answer = super.claim(connection, claim, how);
                if (answer instanceof ClaimAnswer.Taken) {
                    run(connection, "ROLLBACK");
                    run(connection, "BEGIN");
                }
                return answer;
            }
        };
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static DedupDialect withTransactions(DedupDialect real, UnaryOperator<DedupTransaction> change) {
        return new ForwardingDialect(real) {
            @Override
            public DedupTransaction begin(Connection connection, TransactionOptions options)
                    throws SQLException, InterruptedException {
                return change.apply(super.begin(connection, options));
            }
        };
    }
}
