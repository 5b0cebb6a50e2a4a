package io.dedupstore.oracle;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;
import org.junit.jupiter.api.Tag;

/** The contract on the emulator, with DBMS_LOCK and the texts of release 23ai. Emulated; not yet run on Oracle. */
@Tag(Tally.EMULATOR)
class EmulatedLockContractTest extends DedupStoreContract {
    private static final BackendFixture FIXTURE =
            new EmulatedFixture(new EmulatedOracle(EmulatedFailure.DuplicateText.ORACLE_23AI), true);

    @Override
    protected BackendFixture fixture() {
        return FIXTURE;
    }
}
