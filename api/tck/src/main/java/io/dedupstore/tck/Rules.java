package io.dedupstore.tck;

import org.junit.jupiter.api.AfterEach;

/** The rules of one letter. */
abstract class Rules {
    final Kit kit;

    Rules(BackendFixture fixture) {
        this.kit = new Kit(fixture);
    }

    @AfterEach
    void endThreads() {
        kit.close();
    }
}
