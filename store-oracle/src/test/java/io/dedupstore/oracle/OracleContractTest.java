package io.dedupstore.oracle;

import io.dedupstore.tck.BackendFixture;
import io.dedupstore.tck.DedupStoreContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contract on a real Oracle, with the default dialect. */
@Tag(Tally.SERVER)
@EnabledIf(value = "io.dedupstore.oracle.OracleServer#wanted", disabledReason = "no Oracle to test with")
class OracleContractTest extends DedupStoreContract {
    private static BackendFixture fixture;

    @Override
    protected BackendFixture fixture() {
        if (fixture == null) {
            fixture = new RealFixture(false);
        }
        return fixture;
    }
}
