package io.dedupstore.examples;

/** The two replays of one file. */
enum Mode {
    /** The consumer trusts the broker to deliver once: credit and commit. */
    WITHOUT_CLAIM("without"),

    /** The consumer claims the event in the transaction that makes the credit. */
    WITH_CLAIM("with");

    private final String word;

    Mode(String word) {
        this.word = word;
    }

    /** {@return what the closing table and the account table call it} */
    String word() {
        return word;
    }
}
