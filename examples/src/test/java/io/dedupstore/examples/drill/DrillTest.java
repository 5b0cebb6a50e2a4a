package io.dedupstore.examples.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The drill in its short form; and that it finds stores that are broken. */
@Timeout(240)
class DrillTest {
    private static final long SEED = 1;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private List<String> drill(DrillOptions options) throws Exception {
        List<String> wrong = Drill.run(options, new PrintStream(out, true, StandardCharsets.UTF_8));
        System.out.println(said());
        return wrong;
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "mysql"})
    void nothingIsLostDoubledOrAcknowledgedTooEarly(String database) throws Exception {
        assertThat(drill(DrillOptions.of(database, SEED).shortForm()))
                .as(this::said)
                .isEmpty();

        assertThat(said())
                .contains("Seed: 1,")
                .contains("QUARANTINE CONFLICT")
                .contains("ACK DUPLICATE")
                .contains("consumer killed")
                .containsPattern("faults of (8|9|\\d\\d) kinds")
                .contains("Nothing lost");
    }

    /** On MySQL only what it does in a way of its own; the others would cost a minute. */
    static Stream<Arguments> serversAndMutations() {
        return Stream.concat(
                Arrays.stream(Mutation.values()).map(mutation -> Arguments.of("postgres", mutation)),
                Stream.of(Arguments.of("mysql", Mutation.IGNORES_SWALLOWED_FAILURES)));
    }

    /** With the fault against which the broken rule is there. */
    @ParameterizedTest
    @MethodSource("serversAndMutations")
    void findsAMutatedStore(String server, Mutation mutation) throws Exception {
        List<String> wrong =
                drill(DrillOptions.of(server, SEED).only(mutation.fault()).with(mutation.maker()));

        assertThat(wrong).as(this::said).anyMatch(mutation::isFoundIn);
        assertThat(said()).contains("violations; run again with --seed 1");
    }
}
