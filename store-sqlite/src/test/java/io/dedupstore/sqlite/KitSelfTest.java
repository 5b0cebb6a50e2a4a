package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import io.dedupstore.DedupStore;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The kit is worth as much as what it catches: stores that are broken on purpose, each failing the rule that it breaks. */
class KitSelfTest {
    @TempDir
    Path folder;

    private static BackendFixture broken;

    /** Not run by itself: the broken store's contract. */
    static class BrokenContract extends DedupStoreContract {
        @Override
        protected BackendFixture fixture() {
            return broken;
        }
    }

    private static Arguments dialect(String name, UnaryOperator<DedupDialect> how, Class<?> group, String rule) {
        return Arguments.of(
                name, group, rule, how, (Function<DedupStore.Builder, DedupStore>) DedupStore.Builder::build);
    }

    private static Arguments engine(
            String name, Function<DedupStore.Builder, DedupStore> how, Class<?> group, String rule) {
        return Arguments.of(name, group, rule, UnaryOperator.<DedupDialect>identity(), how);
    }

    static Stream<Arguments> breakages() {
        return Stream.of(
                dialect("ignores the hash", BrokenDialects::ignoringTheHash, DedupStoreContract.Claiming.class, "c3_"),
                dialect("folds case", BrokenDialects::foldingCase, DedupStoreContract.Keys.class, "c4_"),
                dialect("trims ids", BrokenDialects::trimming, DedupStoreContract.Keys.class, "c4_"),
                dialect("truncates ids", BrokenDialects::truncating, DedupStoreContract.Keys.class, "c5_"),
                dialect(
                        "commits the claim at once",
                        BrokenDialects::committingTheClaimAtOnce,
                        DedupStoreContract.Atomicity.class,
                        "a1_"),
                dialect(
                        "rolls back at the commit and reports success",
                        BrokenDialects::rollingBackAtTheCommit,
                        DedupStoreContract.Claiming.class,
                        "c1_"),
                dialect(
                        "commits instead of rolling back",
                        BrokenDialects::committingInsteadOfRollingBack,
                        DedupStoreContract.Atomicity.class,
                        "a1_"),
                dialect("waits too long", BrokenDialects::waitingTooLong, DedupStoreContract.Waiting.class, "w2_"),
                dialect("does not wait", BrokenDialects::notWaiting, DedupStoreContract.Waiting.class, "w1_"),
                dialect(
                        "mistakes the wait bound",
                        BrokenDialects::mistakingTheWaitBound,
                        DedupStoreContract.Waiting.class,
                        "w2_"),
                dialect(
                        "takes constraints for lost connections",
                        BrokenDialects::mistakingConstraintsForLostConnections,
                        DedupStoreContract.Errors.class,
                        "e3_"),
                dialect(
                        "takes a missing table for a busy one",
                        BrokenDialects::mistakingAMissingTable,
                        DedupStoreContract.Errors.class,
                        "e5_"),
                dialect(
                        "trusts the work",
                        BrokenDialects::trustingTheWork,
                        DedupStoreContract.BrokenTransactions.class,
                        "a3_transactionReplaced"),
                dialect(
                        "lets the work commit",
                        BrokenDialects::lettingTheWorkCommit,
                        DedupStoreContract.BrokenTransactions.class,
                        "a3_workThatEnds"),
                dialect(
                        "suspects any failure",
                        BrokenDialects::suspectingAnyFailure,
                        DedupStoreContract.BrokenTransactions.class,
                        "a3_handled"),
                dialect("does not validate", BrokenDialects::notValidating, DedupStoreContract.Schema.class, "s2_"),
                dialect(
                        "forgets the claim id",
                        BrokenDialects::forgettingTheClaimId,
                        DedupStoreContract.InDoubt.class,
                        "r3_"),
                dialect(
                        "claims again what is claimed",
                        BrokenDialects::claimingTwiceInOneTransaction,
                        DedupStoreContract.Claiming.class,
                        "c2_"),
                dialect(
                        "dates in the local zone",
                        BrokenDialects::datingInTheLocalZone,
                        DedupStoreContract.Claiming.class,
                        "c1_claimIsDated"),
                dialect(
                        "rolls the caller's transaction back",
                        BrokenDialects::rollingBackTheCallersTransaction,
                        DedupStoreContract.Joined.class,
                        "a8_"),
                engine("does not retry", BrokenStores::withoutRetries, DedupStoreContract.Retries.class, "r1_"),
                engine(
                        "acknowledges everything",
                        BrokenStores::thatAcknowledgesEverything,
                        DedupStoreContract.Dispositions.class,
                        "d0_"),
                engine(
                        "quarantines what it does not know",
                        BrokenStores::thatQuarantinesWhatItDoesNotKnow,
                        DedupStoreContract.Dispositions.class,
                        "d0_"),
                engine(
                        "wraps the work's exceptions",
                        BrokenStores::thatWrapsTheWorksExceptions,
                        DedupStoreContract.Atomicity.class,
                        "a1_"),
                engine(
                        "takes conflicts for duplicates",
                        BrokenStores::thatTakesConflictsForDuplicates,
                        DedupStoreContract.Claiming.class,
                        "c3_"),
                engine(
                        "skips the payload on redelivery",
                        BrokenStores::thatSkipsThePayloadOnRedelivery,
                        DedupStoreContract.Claiming.class,
                        "c3_"),
                engine(
                        "takes the wait bound for a duplicate",
                        BrokenStores::thatTakesTheWaitBoundForADuplicate,
                        DedupStoreContract.Waiting.class,
                        "w2_"),
                engine(
                        "takes any constraint for a duplicate",
                        BrokenStores::thatTakesAnyConstraintForADuplicate,
                        DedupStoreContract.Errors.class,
                        "e2_"),
                engine(
                        "remembers before the commit",
                        BrokenStores::thatRemembersBeforeTheCommit,
                        DedupStoreContract.Claiming.class,
                        "c1_firstAttempt"),
                engine("works first", BrokenStores::thatWorksFirst, DedupStoreContract.Claiming.class, "c2_"),
                engine(
                        "claims in auto-commit mode",
                        BrokenStores::thatClaimsInAutoCommitMode,
                        DedupStoreContract.Joined.class,
                        "a6_"),
                engine(
                        "clears the interrupt",
                        BrokenStores::thatClearsTheInterrupt,
                        DedupStoreContract.Retries.class,
                        "r4_"),
                engine(
                        "shows what the database said",
                        BrokenStores::thatShowsWhatTheDatabaseSaid,
                        DedupStoreContract.Errors.class,
                        "e6_"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("breakages")
    void brokenStoreFailsTheRuleThatItBreaks(
            String name,
            Class<?> group,
            String rule,
            UnaryOperator<DedupDialect> dialect,
            Function<DedupStore.Builder, DedupStore> engine) {
        SqliteFixture fixture =
                new SqliteFixture(
                        "jdbc:sqlite:" + folder.resolve("broken.db"), org.sqlite.SQLiteConfig.JournalMode.WAL) {
                    @Override
                    public DedupDialect dialect(Connection connection, TableName table) throws SQLException {
                        return dialect.apply(super.dialect(connection, table));
                    }

                    @Override
                    public DedupStore build(DedupStore.Builder builder) {
                        return engine.apply(builder);
                    }
                };
        broken = fixture;
        List<String> failed = EngineTestKit.engine("junit-jupiter")
                .selectors(selectNestedClass(List.of(BrokenContract.class), group))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .map(event -> event.getTestDescriptor()
                        .getSource()
                        .map(source ->
                                ((org.junit.platform.engine.support.descriptor.MethodSource) source).getMethodName())
                        .orElse("?"))
                .distinct()
                .toList();
        fixture.close();
        assertThat(failed).as("failed tests of " + group.getSimpleName()).anyMatch(test -> test.startsWith(rule));
    }
}
