package io.dedupstore.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * The contract, as tests: extend it, give it a fixture, run it against a real server. Every test's name begins with the
 * rule that it proves. A store is done when all of them pass.
 */
@Timeout(120)
public abstract class DedupStoreContract {
    /** For subclasses. */
    protected DedupStoreContract() {}

    /** {@return the server under test; the same one for every call} */
    protected abstract BackendFixture fixture();

    /** Claiming. */
    @Nested
    @DisplayName("C claiming")
    public class Claiming extends ClaimingRules {
        Claiming() {
            super(fixture());
        }
    }

    /** Keys and hashes. */
    @Nested
    @DisplayName("C keys and hashes")
    public class Keys extends KeyRules {
        Keys() {
            super(fixture());
        }
    }

    /** Atomicity. */
    @Nested
    @DisplayName("A atomicity")
    public class Atomicity extends AtomicityRules {
        Atomicity() {
            super(fixture());
        }
    }

    /** Work that breaks its transaction. */
    @Nested
    @DisplayName("A broken transactions")
    public class BrokenTransactions extends BrokenTransactionRules {
        BrokenTransactions() {
            super(fixture());
        }
    }

    /** Joined claims. */
    @Nested
    @DisplayName("A joined claims")
    public class Joined extends JoinedRules {
        Joined() {
            super(fixture());
        }
    }

    /** Waiting. */
    @Nested
    @DisplayName("W waiting")
    public class Waiting extends WaitingRules {
        Waiting() {
            super(fixture());
        }
    }

    /** Retries. */
    @Nested
    @DisplayName("R retries")
    public class Retries extends RetryRules {
        Retries() {
            super(fixture());
        }
    }

    /** Commits in doubt. */
    @Nested
    @DisplayName("R commits in doubt")
    public class InDoubt extends InDoubtRules {
        InDoubt() {
            super(fixture());
        }
    }

    /** Errors. */
    @Nested
    @DisplayName("E errors")
    public class Errors extends ErrorRules {
        Errors() {
            super(fixture());
        }
    }

    /** Schema. */
    @Nested
    @DisplayName("S schema")
    public class Schema extends SchemaRules {
        Schema() {
            super(fixture());
        }
    }

    /** Dispositions. */
    @Nested
    @DisplayName("D dispositions")
    public class Dispositions extends DispositionRules {
        Dispositions() {
            super(fixture());
        }
    }
}
