package io.dedupstore.sqlite;

import io.dedupstore.Claim;
import io.dedupstore.ClaimInFlightException;
import io.dedupstore.ClaimResult;
import io.dedupstore.DedupSchema;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadConflictException;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;

/** Engines that each break one promise. */
final class BrokenStores {
    private BrokenStores() {}

    static DedupStore withoutRetries(DedupStore.Builder builder) {
        return builder.retry(RetryPolicy.none()).build();
    }

    static DedupStore thatAcknowledgesEverything(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <X extends Exception> Disposition consume(Event event, HandleCallback<?, X> work) {
                super.consume(event, work);
                return Disposition.ACK;
            }
        };
    }

    static DedupStore thatQuarantinesWhatItDoesNotKnow(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <X extends Exception> Disposition consume(Event event, HandleCallback<?, X> work) {
                Disposition disposition = super.consume(event, work);
                return disposition == Disposition.RETRY ? Disposition.QUARANTINE : disposition;
            }
        };
    }

    static DedupStore thatWrapsTheWorksExceptions(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) {
                try {
                    return super.claimAndApply(event, work);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    static DedupStore thatTakesConflictsForDuplicates(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                try {
                    return super.claimAndApply(event, work);
                } catch (PayloadConflictException e) {
                    return new Outcome.Duplicate<>(e.stored());
                }
            }
        };
    }

    static DedupStore thatSkipsThePayloadOnRedelivery(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                Optional<Claim> found = event.redelivered() ? find(event.key()) : Optional.empty();
                return found.isPresent() ? new Outcome.Duplicate<>(found.get()) : super.claimAndApply(event, work);
            }
        };
    }

    static DedupStore thatTakesTheWaitBoundForADuplicate(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                try {
                    return super.claimAndApply(event, work);
                } catch (ClaimInFlightException e) {
                    return new Outcome.Duplicate<>(claimOf(event));
                }
            }
        };
    }

    private static Claim claimOf(Event event) {
        return new Claim(event.key(), event.hash(), UUID.randomUUID(), Instant.now());
    }

    /** Catches any integrity error and calls it a duplicate. */
    static DedupStore thatTakesAnyConstraintForADuplicate(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                try {
                    return super.claimAndApply(event, work);
                } catch (RuntimeException e) {
                    if (e.getCause() instanceof SQLException sql && SqliteErrors.primary(sql) == 19) {
                        return new Outcome.Duplicate<>(claimOf(event));
                    }
                    throw e;
                }
            }
        };
    }

    /** Fills its cache before the insert is committed. */
    static DedupStore thatRemembersBeforeTheCommit(DedupStore.Builder builder) {
        Set<EventKey> seen = ConcurrentHashMap.newKeySet();
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                return seen.add(event.key()) || find(event.key()).isPresent()
                        ? super.claimAndApply(event, work)
                        : new Outcome.Duplicate<>(claimOf(event));
            }
        };
    }

    /** Makes the business change in a transaction of its own, then claims. */
    static DedupStore thatWorksFirst(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                EventKey elsewhere = EventKey.of("elsewhere", UUID.randomUUID().toString());
                Outcome<R> worked = super.claimAndApply(Event.of(elsewhere, PayloadHash.ofText("")), work);
                Outcome<Object> claimed = super.claimAndApply(event, tx -> 0);
                return claimed instanceof Outcome.Duplicate<Object> duplicate
                        ? new Outcome.Duplicate<>(duplicate.stored())
                        : worked;
            }
        };
    }

    static DedupStore thatClaimsInAutoCommitMode(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public ClaimResult claim(Connection connection, Event event) {
                try {
                    boolean autoCommit = connection.getAutoCommit();
                    connection.setAutoCommit(false);
                    ClaimResult result = super.claim(connection, event);
                    if (autoCommit) {
                        connection.setAutoCommit(true);
                    }
                    return result;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    static DedupStore thatClearsTheInterrupt(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                try {
                    return super.claimAndApply(event, work);
                } finally {
                    Thread.interrupted();
                }
            }
        };
    }

    /** Quotes what the server said. */
    static DedupStore thatShowsWhatTheDatabaseSaid(DedupStore.Builder builder) {
        return new Forwarding(builder) {
            @Override
            public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
                try {
                    return super.claimAndApply(event, work);
                } catch (io.dedupstore.DedupException e) {
                    e.addSuppressed(new SQLException("Detail: Key (card)=(quoted-secret) already exists."));
                    throw e;
                }
            }
        };
    }

    /** Passes everything on. */
    private static class Forwarding implements DedupStore {
        private final DedupStore real;

        Forwarding(DedupStore.Builder builder) {
            this.real = builder.build();
        }

        @Override
        public <R, X extends Exception> Outcome<R> claimAndApply(Event event, HandleCallback<R, X> work) throws X {
            return real.claimAndApply(event, work);
        }

        @Override
        public <X extends Exception> Disposition consume(Event event, HandleCallback<?, X> work) {
            return real.consume(event, work);
        }

        @Override
        public ClaimResult claim(Handle handle, Event event) {
            return claim(handle.getConnection(), event);
        }

        @Override
        public ClaimResult claim(Connection connection, Event event) {
            return real.claim(connection, event);
        }

        @Override
        public Optional<Claim> find(EventKey key) {
            return real.find(key);
        }

        @Override
        public DedupSchema schema() {
            return real.schema();
        }
    }
}
