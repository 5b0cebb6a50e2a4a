package io.dedupstore.oracle;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;
import org.junit.jupiter.api.Tag;

/** The contract on the emulator, with the texts of release 19c. Emulated; not yet run on Oracle. */
@Tag(Tally.EMULATOR)
class EmulatedContractTest extends DedupStoreContract {
    private static final BackendFixture FIXTURE =
            new EmulatedFixture(new EmulatedOracle(EmulatedFailure.DuplicateText.ORACLE_19C), false);

    @Override
    protected BackendFixture fixture() {
        return FIXTURE;
    }
}
