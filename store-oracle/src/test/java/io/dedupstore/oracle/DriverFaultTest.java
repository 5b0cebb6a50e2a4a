package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import io.dedupstore.RetryPolicy;
import io.dedupstore.TransientStoreException;
import io.dedupstore.TransientStoreException.Reason;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.TableName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Predicate;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Oracle's own driver, against sockets that fail as listeners and networks do. No database is behind them. */
@Tag(Tally.DRIVER)
@Timeout(60)
class DriverFaultTest {
    private static final String PASSWORD = "secret-of-the-url";

    private static Properties settings() {
        Properties settings = new Properties();
        settings.setProperty("user", "app");
        settings.setProperty("password", PASSWORD);
        settings.setProperty("oracle.net.CONNECT_TIMEOUT", "2000");
        settings.setProperty("oracle.jdbc.ReadTimeout", "500");
        return settings;
    }

    private static SQLException failure(FailingListener listener) {
        return catchThrowableOfType(
                SQLException.class,
                () -> DriverManager.getConnection(listener.url(), settings()).close());
    }

    @ParameterizedTest
    @EnumSource(FailingListener.Way.class)
    void r1_driversFailureIsALostConnectionWhateverItsClass(FailingListener.Way way) throws IOException {
        try (FailingListener listener = new FailingListener(way)) {
            SQLException failure = failure(listener);
            Predicate<SQLException> lost = e -> OracleErrors.kind(e) == FailureKind.CONNECTION;
            Throwable found = OracleErrors.first(failure, lost);
            assertThat(found)
                    .as("%s: code %s, state %s", failure.getClass(), failure.getErrorCode(), failure.getSQLState())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource(FailingListener.Way.class)
    void r1_claimIsTriedAgainAndThenTransient(FailingListener.Way way) throws IOException {
        try (FailingListener listener = new FailingListener(way)) {
            RetryPolicy twice = RetryPolicy.defaults()
                    .withAttempts(2)
                    .withPauses(Duration.ofMillis(1), Duration.ofMillis(2))
                    .withDeadline(Duration.ofSeconds(20));
            DedupStore store = DedupStore.builder(Jdbi.create(listener.url(), settings()))
                    .dialect(OracleDialect.plain(TableName.of("dedup_claim")))
                    .retry(twice)
                    .build();
            Event event = Event.of(EventKey.of("billing", "e1"), PayloadHash.ofText("payload"));
            Throwable caught = catchThrowable(() -> store.claimAndApply(event, tx -> null));
            assertThat(caught)
                    .isInstanceOfSatisfying(
                            TransientStoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.CONNECTION));
            assertThat(caught.getSuppressed()).as("the first attempt").hasSize(1);
            StringWriter printed = new StringWriter();
            caught.printStackTrace(new PrintWriter(printed));
            assertThat(printed.toString()).doesNotContain(PASSWORD);
            assertThat(store.consume(event, tx -> null)).isEqualTo(Disposition.RETRY);
        }
    }

    @Test
    void r1_storeThatCannotFindItsDialectSaysThatTheDatabaseIsNotReached() throws IOException {
        try (FailingListener listener = new FailingListener(FailingListener.Way.UNKNOWN_SERVICE)) {
            assertThatThrownBy(() -> DedupStore.builder(Jdbi.create(listener.url(), settings()))
                            .build())
                    .isInstanceOf(TransientStoreException.class);
        }
    }
}
