package io.dedupstore.oracle;

/** The strengths of proof, as tags. */
final class Tally {
    static final String SERVER = "1-server";
    static final String EMULATOR = "2-emulator";
    static final String GRAMMAR = "3-grammar";
    static final String DRIVER = "4-driver";

    private Tally() {}
}
