package io.dedupstore.oracle;

import java.sql.SQLException;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Errors that a test has planned. Each strikes once, the first call whose text holds its mark. */
final class EmulatedFaults {
    /** A text that no statement has: the driver's {@code commit()}. */
    static final String COMMIT = "commit()";

    static final String ROLLBACK = "rollback()";

    /**
     * A planned error.
     *
     * @param mark what the call's text holds
     * @param code the vendor code
     * @param carriedOut whether the database does what it was told before it fails
     */
    record Fault(String mark, int code, boolean carriedOut) {
        SQLException failure() {
            return EmulatedFailure.of(code);
        }

        /** Whether the session is over. */
        boolean fatal() {
            return OracleErrors.kind(failure()) == io.dedupstore.spi.FailureKind.CONNECTION;
        }
    }

    private final Queue<Fault> planned = new ConcurrentLinkedQueue<>();

    void plan(String mark, int code, boolean carriedOut) {
        planned.add(new Fault(mark, code, carriedOut));
    }

    /** All that was planned has struck. */
    boolean spent() {
        return planned.isEmpty();
    }

    @Nullable
    Fault take(String text) {
        for (Iterator<Fault> all = planned.iterator(); all.hasNext(); ) {
            Fault fault = all.next();
            if (text.contains(fault.mark()) && planned.remove(fault)) {
                return fault;
            }
        }
        return null;
    }
}
