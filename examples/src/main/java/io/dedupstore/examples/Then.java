package io.dedupstore.examples;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What happens to one delivery. A point inside the work is not reached if the work does not run. */
enum Then {
    /** The consumer commits and acknowledges. */
    ACK("ack"),

    /** The work throws after it has made the credit. */
    ROLL_BACK("roll-back"),

    /** The consumer is killed when the credit is made and not committed. */
    DIE_BEFORE_COMMIT("die-before-commit"),

    /** The consumer is killed when the credit is committed and not acknowledged. */
    DIE_AFTER_COMMIT("die-after-commit"),

    /** Before the consumer commits, its time is up: the next line goes to a second one meanwhile. */
    OUTRUN("outrun");

    private final String word;

    Then(String word) {
        this.word = word;
    }

    /** {@return its name in a file} */
    String word() {
        return word;
    }

    /** {@return that name in a table} */
    String shown() {
        return word.replace('-', ' ');
    }

    static Optional<Then> of(String word) {
        return Arrays.stream(values()).filter(then -> then.word.equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(Then::word).collect(Collectors.joining(", "));
    }
}
