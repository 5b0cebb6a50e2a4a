package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.spi.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement that the module can send, by two grammars, and proof that the grammars refuse what is wrong. */
@Tag(Tally.GRAMMAR)
class GrammarTest {
    private static final List<String> TABLES = List.of(
            "dedup_claim",
            "shop.order",
            "_claims",
            "SHOP.MixedCase",
            "x23456789012345678901234567890123456789012345678901234567890123");

    static Stream<String> emitted() {
        return Stream.concat(OracleTable.queries().stream(), TABLES.stream().flatMap(GrammarTest::emittedFor));
    }

    private static Stream<String> emittedFor(String table) {
        TableName name = TableName.of(table);
        return Stream.concat(
                new OracleSql(name).all().stream(),
                script(OracleDialect.plain(name).ddl()).stream());
    }

    /** As the engine divides it. */
    private static List<String> script(String ddl) {
        return Stream.of(ddl.split(";\\s*(\\n|$)", -1))
                .filter(sql -> !sql.isBlank())
                .toList();
    }

    /** What the tests themselves give to a real Oracle. */
    static Stream<String> ofTests() {
        Stream<String> unfit = new EmulatedFixture(null, false)
                .unfitTables().values().stream().flatMap(sql -> script(sql.replace("%s", "unfit")).stream());
        return Stream.concat(unfit, Stream.of(OracleFixture.SHORT_WAITS, "SET TRANSACTION READ ONLY"));
    }

    static Stream<String> accepted() {
        return corpus("grammar-accepted.sql");
    }

    static Stream<String> rejected() {
        return corpus("grammar-rejected.sql");
    }

    private static Stream<String> corpus(String name) {
        try (InputStream in = GrammarTest.class.getResourceAsStream(name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("\n----\n")).map(String::strip).filter(sql -> !sql.isEmpty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource({"emitted", "ofTests"})
    void everyStatementIsOraclesSqlByDebeziumsGrammar(String sql) {
        assertThat(Grammars.plSqlAccepts(sql)).isTrue();
    }

    static Stream<String> emittedDml() {
        return emitted().filter(Grammars::isDml);
    }

    @ParameterizedTest
    @MethodSource("emittedDml")
    void everyStatementIsOraclesSqlByTheDriversGrammar(String sql) {
        assertThat(Grammars.DriversGrammar.PRESENT)
                .as("the driver that the build names has a grammar")
                .isTrue();
        assertThat(Grammars.driverAccepts(sql)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void grammarsTakeWhatOracleTakes(String sql) {
        assertThat(Grammars.accept(sql)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void grammarsRefuseWhatIsNotOracles(String sql) {
        assertThat(Grammars.accept(sql)).as(sql).isFalse();
    }

    /** Each statement of ours, with one mark or word of it missing. */
    static Stream<String> damaged() {
        List<String> damaged = new ArrayList<>();
        List<String> whole = Stream.concat(OracleTable.queries().stream(), emittedFor(TABLES.get(0)))
                .toList();
        for (String sql : whole) {
            for (String part : List.of("(", ")", " INTO ", " VALUES ", " THEN ", " END;", " := ", " TABLE ")) {
                int at = sql.indexOf(part);
                if (at >= 0) {
                    damaged.add(sql.substring(0, at) + " " + sql.substring(at + part.length()));
                }
            }
        }
        return damaged.stream();
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void grammarsRefuseOurStatementsWithAPartMissing(String sql) {
        assertThat(Grammars.accept(sql)).as(sql).isFalse();
    }
}
