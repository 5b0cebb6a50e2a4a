package io.dedupstore.oracle;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Says at the end what the tests have proven, by strength, so that nobody takes the emulator for Oracle. Found by JUnit as a
 * service.
 */
public final class Tally implements TestExecutionListener {
    static final String SERVER = "1-server";
    static final String EMULATOR = "2-emulator";
    static final String GRAMMAR = "3-grammar";
    static final String DRIVER = "4-driver";

    private enum Strength {
        ORACLE(SERVER, "contract kit on a real Oracle"),
        EMULATED(EMULATOR, "contract kit, and Oracle's errors, on the emulator"),
        STATEMENTS(GRAMMAR, "statements, right and wrong, by two grammars"),
        CONNECTIONS(DRIVER, "Oracle's driver on connections that fail");

        private final String tag;
        private final String title;

        Strength(String tag, String title) {
            this.tag = tag;
            this.title = title;
        }
    }

    private static final class Count {
        private int passed;
        private int failed;
        private int aborted;
    }

    private final Map<Strength, Count> counts = new EnumMap<>(Strength.class);

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        for (Strength strength : Strength.values()) {
            boolean ofIt = test.getTags().stream().anyMatch(tag -> tag.getName().equals(strength.tag));
            boolean container = !test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (ofIt && !container) {
                count(strength, result.getStatus());
            }
        }
    }

    private synchronized void count(Strength strength, TestExecutionResult.Status status) {
        Count count = counts.computeIfAbsent(strength, s -> new Count());
        switch (status) {
            case SUCCESSFUL -> count.passed++;
            case FAILED -> count.failed++;
            default -> count.aborted++;
        }
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        if (counts.isEmpty()) {
            return;
        }
        StringBuilder text =
                new StringBuilder("\n[dedup-store-oracle] What these tests have proven, strongest first:\n");
        for (Strength strength : Strength.values()) {
            text.append(line(strength, counts.get(strength)));
        }
        System.out.println(text.append(verdict()));
    }

    private static String line(Strength strength, Count count) {
        String result = count == null
                ? "NOT RUN"
                : count.passed + " passed, " + count.failed + " failed"
                        + (count.aborted == 0 ? "" : ", " + count.aborted + " not run");
        return String.format(Locale.ROOT, "  %s. %-52s %s%n", strength.tag.charAt(0), strength.title, result);
    }

    private String verdict() {
        Count real = counts.get(Strength.ORACLE);
        if (real == null || real.passed == 0) {
            return "  Emulated; not yet run on Oracle: " + OracleServer.whyNone();
        }
        String version = OracleServer.version();
        return real.failed == 0 && real.aborted == 0
                ? "  VERIFIED on " + version
                : "  NOT VERIFIED: tests failed on " + version;
    }
}
