package io.dedupstore.internal;

import io.dedupstore.spi.DedupDialect;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Statements of the work that change nothing about the transaction, so that what a consumer runs for every event is read
 * once. It keeps few and short ones: others may have values in them. Safe for any number of threads.
 */
final class HarmlessTexts {
    private static final int MOST = 256;
    private static final int LONGEST = 1_000;

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final DedupDialect dialect;

    HarmlessTexts(DedupDialect dialect) {
        this.dialect = dialect;
    }

    /** Whether the statement neither ends the transaction nor may do anything behind the guard's back. */
    boolean contain(String sql) {
        if (known.contains(sql)) {
            return true;
        }
        boolean harmless = !dialect.endsTransaction(sql) && !dialect.isOpaque(sql);
        if (harmless && sql.length() <= LONGEST && known.size() < MOST) {
            known.add(sql);
        }
        return harmless;
    }
}
