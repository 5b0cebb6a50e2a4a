package io.dedupstore.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.ClaimInFlightException;
import io.dedupstore.DedupException;
import io.dedupstore.Disposition;
import io.dedupstore.EventKey;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.TableName;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailuresTest {
    private static final EventKey KEY = EventKey.of("billing", "payment-1");
    private static final String SECRET = "Key (card)=(4929-secret) already exists";

    /** Reads the kind out of the SQLState; asks no database. */
    private static final DedupDialect DIALECT = (DedupDialect) Proxy.newProxyInstance(
            FailuresTest.class.getClassLoader(),
            new Class<?>[] {DedupDialect.class},
            (self, method, args) -> switch (method.getName()) {
                case "classify" -> kind(((SQLException) args[0]).getSQLState());
                case "name" -> "Test";
                case "table" -> TableName.of("t_claim");
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private final Failures failures = new Failures(DIALECT, Duration.ofMillis(400));

    private static FailureKind kind(String state) {
        return state == null ? FailureKind.OTHER : FailureKind.valueOf(state);
    }

    private static SQLException sql(FailureKind kind) {
        return new SQLException(SECRET, kind.name(), 7);
    }

    private static SQLException plain(Throwable cause) {
        return new SQLException(SECRET, cause);
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void e1_theKindIsFoundDownTheCauses(FailureKind kind) {
        assertThat(failures.kindOf(sql(kind))).isEqualTo(kind);
        assertThat(failures.kindOf(new IllegalStateException(plain(new RuntimeException(sql(kind))))))
                .isEqualTo(kind);
    }

    @Test
    void e1_theKindIsFoundAlongNextExceptions() {
        SQLException batch = new BatchUpdateException(SECRET, null, 0, new int[0]);
        batch.setNextException(new SQLException(SECRET));
        batch.setNextException(sql(FailureKind.DEADLOCK));
        assertThat(failures.kindOf(new RuntimeException(batch))).isEqualTo(FailureKind.DEADLOCK);
    }

    @Test
    void e1_theFirstKindThatSaysSomethingCounts() {
        SQLException outer = sql(FailureKind.CONSTRAINT);
        outer.initCause(sql(FailureKind.DEADLOCK));
        outer.setNextException(sql(FailureKind.BUSY));
        assertThat(failures.kindOf(outer)).isEqualTo(FailureKind.CONSTRAINT);
        SQLException silent = plain(sql(FailureKind.DEADLOCK));
        silent.setNextException(sql(FailureKind.BUSY));
        assertThat(failures.kindOf(silent)).isEqualTo(FailureKind.BUSY);
    }

    @Test
    void cyclesEnd() {
        SQLException first = new SQLException(SECRET);
        SQLException second = new SQLException(SECRET);
        first.initCause(second);
        second.initCause(first);
        first.setNextException(second);
        assertThat(failures.kindOf(first)).isEqualTo(FailureKind.OTHER);
        assertThat(failures.kindOf(new IllegalStateException("no SQL at all"))).isEqualTo(FailureKind.OTHER);
    }

    @Test
    void aVeryLongChainEnds() {
        Throwable chain = sql(FailureKind.DEADLOCK);
        for (int i = 0; i < 1_000; i++) {
            chain = new RuntimeException(null, chain);
        }
        assertThat(failures.kindOf(chain)).isEqualTo(FailureKind.OTHER);
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void d0_whileClaimingEveryKindIsRetriedAndToldWithoutTheServersText(FailureKind kind) {
        DedupException told = failures.whileClaiming(KEY, new IllegalStateException(SECRET, sql(kind)));
        assertThat(told.disposition()).isEqualTo(Disposition.RETRY);
        assertThat(told).hasMessageContaining(KEY.toString()).hasMessageNotContaining("4929");
        assertThat(told.getCause()).isInstanceOf(SQLException.class).hasMessageNotContaining("4929");
        if (kind == FailureKind.LOCK_TIMEOUT) {
            assertThat(told).isInstanceOf(ClaimInFlightException.class).hasMessageContaining("400 ms");
        } else if (kind == FailureKind.CONFIGURATION || kind == FailureKind.CONSTRAINT) {
            assertThat(told).isInstanceOf(StoreConfigurationException.class).hasMessageContaining("t_claim");
        } else {
            TransientStoreException.Reason reason =
                    kind == FailureKind.OTHER ? TransientStoreException.Reason.UNKNOWN : kind.reason();
            assertThat(told)
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            transientOne -> assertThat(transientOne.reason()).isEqualTo(reason));
        }
    }

    @Test
    void e5_whatFailsWhileConnectingIsTheConnectionUnlessTheDatabaseSaysItNeverWill() {
        for (FailureKind kind : FailureKind.values()) {
            DedupException told = failures.whileConnecting("It failed", sql(kind));
            if (kind == FailureKind.CONFIGURATION) {
                assertThat(told).isInstanceOf(StoreConfigurationException.class);
            } else {
                assertThat(((TransientStoreException) told).reason())
                        .isEqualTo(TransientStoreException.Reason.CONNECTION);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TransientStoreException.Reason.class)
    void everyReasonIsASentence(TransientStoreException.Reason reason) {
        assertThat(Failures.sentence(reason)).endsWith(".").hasSizeGreaterThan(10);
    }
}
