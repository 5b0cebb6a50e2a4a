package io.dedupstore.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How another JVM is started with this one's java and class path. */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * The command; its options make a short-lived JVM start faster.
     *
     * @param main the class to run
     * @param options further options of the JVM
     * @return for a {@link ProcessBuilder}
     */
    public static List<String> command(Class<?> main, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.add(main.getName());
        return command;
    }
}
