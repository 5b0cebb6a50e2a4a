package io.dedupstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupException;
import io.dedupstore.DedupStore;
import io.dedupstore.Disposition;
import io.dedupstore.Event;
import io.dedupstore.EventKey;
import io.dedupstore.Outcome;
import io.dedupstore.PayloadHash;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.WorkFailedException;
import io.dedupstore.spi.FailureKind;
import io.dedupstore.spi.TableName;
import io.dedupstore.tck.FaultyDialect.Point;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** E1 to E6. */
abstract class ErrorRules extends Rules {
    ErrorRules(BackendFixture fixture) {
        super(fixture);
    }

    private static final String ORDER = "INSERT INTO kit_order (order_no, account_id, cents) VALUES (?, ?, ?)";

    static Stream<Named<String>> violations() {
        return Stream.of("unique", "foreign key", "check", "not null").map(name -> Named.of(name, name));
    }

    /** The work breaks one of its own table's constraints. */
    private HandleCallback<Long, RuntimeException> violating(String constraint, String order) {
        return tx -> {
            kit.creditNow(tx);
            switch (constraint) {
                case "unique" -> {
                    tx.execute(ORDER, order, kit.account(), 1);
                    tx.execute(ORDER, order, kit.account(), 1);
                }
                case "foreign key" -> tx.execute(ORDER, order, "no such account", 1);
                case "check" -> tx.execute(ORDER, order, kit.account(), 0);
                default -> tx.execute(ORDER, order, null, 1);
            }
            return 0L;
        };
    }

    @ParameterizedTest
    @MethodSource("violations")
    void e2_constraintOfTheWorkIsTheWorksExceptionAndNoDuplicate(String constraint) {
        DedupStore store = kit.store();
        Event event = kit.event();
        Throwable caught = catchThrowable(() -> store.claimAndApply(
                event, violating(constraint, UUID.randomUUID().toString())));
        if (constraint.equals("check") && !kit.has(Capability.CHECK_CONSTRAINTS)) {
            assertThat(caught).isNull();
            return;
        }
        assertThat(caught).isInstanceOf(JdbiException.class);
        kit.assertNothingRemains(event, 0);
    }

    @ParameterizedTest
    @MethodSource("violations")
    void e2_constraintOfTheWorkIsNeverAcknowledged(String constraint) {
        if (constraint.equals("check") && !kit.has(Capability.CHECK_CONSTRAINTS)) {
            return;
        }
        Event event = kit.event();
        assertThat(kit.store()
                        .consume(event, violating(constraint, UUID.randomUUID().toString())))
                .isEqualTo(Disposition.RETRY);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void e1_eventIdThatIsAlsoTheWorksKeyIsToldApart() {
        DedupStore store = kit.store();
        Event first = kit.event();
        String order = first.key().eventId();
        store.claimAndApply(first, tx -> tx.execute(ORDER, order, kit.account(), 1));
        // another event, whose work meets the first one's row
        Event second = kit.event(EventKey.of("another consumer", order), "payload");
        assertThatThrownBy(() -> store.claimAndApply(second, tx -> tx.execute(ORDER, order, kit.account(), 1)))
                .isInstanceOf(JdbiException.class);
        assertThat(store.find(second.key())).isEmpty();
    }

    @Test
    void e3_deferredConstraintFailsAtTheCommitForGood() {
        Event event = kit.event();
        String table = "kit_deferred";
        String ddl = "CREATE TABLE " + table + " (id VARCHAR(80) NOT NULL PRIMARY KEY, account_id VARCHAR(80) NOT NULL"
                + " REFERENCES kit_account (id) DEFERRABLE INITIALLY DEFERRED)";
        if (kit.missing(table)) {
            Throwable refused = catchThrowable(() -> kit.outside().useHandle(h -> h.execute(ddl)));
            if (!kit.has(Capability.DEFERRED_CONSTRAINTS)) {
                assertThat(refused).isInstanceOf(JdbiException.class);
                return;
            }
        }
        Throwable caught = catchThrowable(() -> kit.store().claimAndApply(event, tx -> {
            kit.creditNow(tx);
            return tx.execute(
                    "INSERT INTO " + table + " (id, account_id) VALUES (?, 'no such account')",
                    event.key().eventId());
        }));
        assertThat(caught).isInstanceOf(WorkFailedException.class);
        kit.assertNothingRemains(event, 0);
    }

    @Test
    void e5_missingTableSaysWhatToRun() {
        TableName table =
                TableName.of("kit_missing_" + UUID.randomUUID().toString().substring(0, 8));
        DedupStore store = kit.store(table, builder -> {}, real -> real);
        Event event = kit.event();
        assertThatThrownBy(() -> store.claimAndApply(event, kit.credit()))
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining(table.toString())
                .hasMessageContaining("schema().create()");
        assertThat(store.consume(event, kit.credit())).isEqualTo(Disposition.RETRY);
        assertThat(kit.credits()).isZero();
        // mended while the store is in use
        store.schema().create();
        assertThat(store.claimAndApply(event, kit.credit())).isInstanceOf(Outcome.Applied.class);
        kit.outside().useHandle(h -> h.execute("DROP TABLE " + table));
    }

    @Test
    void e6_payloadsAndServersTextsAreNotShown() {
        String secret = "secret-" + UUID.randomUUID();
        DedupStore store = kit.store();
        Event event = kit.event(kit.key(), secret);
        store.claimAndApply(event, kit.credit());
        Throwable conflict =
                catchThrowable(() -> store.claimAndApply(kit.event(event.key(), secret + "2"), kit.credit()));
        assertThat(printed(conflict)).doesNotContain(secret);
        assertThat(event.toString()).doesNotContain(secret);
        assertThat(store.find(event.key()).orElseThrow().toString()).doesNotContain(secret);
        Event another = kit.event(kit.key(), secret);
        assertThat(store.claimAndApply(another, tx -> secret).toString()).doesNotContain(secret);
        assertThatThrownBy(() -> PayloadHash.ofJson("{\"card\":\"" + secret + "\" \"}"))
                .satisfies(invalid -> assertThat(printed(invalid)).doesNotContain(secret));
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void e6_serversTextIsNotShownWhateverFails(FailureKind kind) {
        for (Point point : new Point[] {Point.BEGIN, Point.CLAIM, Point.COMMIT_REQUEST, Point.FIND}) {
            FaultyDialect dialect = kit.faulty().failAlways(point, kind);
            DedupStore store = kit.store(
                    dialect,
                    builder -> builder.retry(
                            io.dedupstore.RetryPolicy.none().withDeadline(java.time.Duration.ofMillis(50))));
            Event event = kit.event();
            Throwable caught = catchThrowable(() -> assertThat(
                            point == Point.FIND ? store.find(event.key()) : store.claimAndApply(event, kit.credit()))
                    .isNull());
            assertThat(caught).isInstanceOf(DedupException.class);
            assertThat(printed(caught)).doesNotContain("quoted-secret");
        }
    }

    /** All that a logger would print. */
    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void e6_keyCannotForgeALogLine() {
        Event event = kit.event(EventKey.of("kit", "id\n2026-01-01 ERROR forged" + UUID.randomUUID()), "payload");
        DedupStore store = kit.store();
        store.claimAndApply(event, kit.credit());
        Throwable conflict = catchThrowable(() -> store.claimAndApply(kit.altered(event), kit.credit()));
        assertThat(conflict.getMessage()).doesNotContain("\n");
    }
}
