package io.dedupstore.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The library for asynchronous I/O that MySQL 8.0 is linked to. Where the system has none, the package is fetched into the
 * build folder, by the system's own package sources and without root.
 */
final class Libaio {
    private static final String NAME = "libaio.so.1";
    private static final List<String> USUAL =
            List.of("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64");

    /** A private state of apt in the folder {@code $1}; the package has another name on newer releases. */
    private static final String FETCH = "cd \"$1\" && mkdir -p lists/partial cache/archives/partial"
            + " && apt() { apt-get -q -o Dir::State=\"$PWD\" -o Dir::State::status=/var/lib/dpkg/status"
            + " -o Dir::Cache=\"$PWD/cache\" -o APT::Sandbox::User=\"$(id -un)\" \"$@\"; }"
            + " && apt update && { apt download libaio1 || apt download libaio1t64; }"
            + " && for package in *.deb; do dpkg-deb -x \"$package\" root; done";

    private Libaio() {}

    /** The folder that has it. */
    static Path folder() {
        for (String usual : USUAL) {
            if (Files.exists(Path.of(usual, NAME))) {
                return Path.of(usual);
            }
        }
        Path fetched = Path.of("target", "libaio").toAbsolutePath();
        try {
            if (!Files.exists(fetched.resolve(NAME))) {
                fetch(fetched);
            }
            return fetched;
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException(
                    "MySQL 8.0 needs " + NAME + ", which is not installed and could not be fetched. Install it"
                            + " (Debian: apt-get install libaio1, from release 13 on libaio1t64; Fedora: libaio).",
                    e);
        }
    }

    private static void fetch(Path into) throws IOException {
        Path work = Files.createTempDirectory("dedup-libaio");
        MysqlBinaries.run("sh", "-c", FETCH, "sh", work.toString());
        try (Stream<Path> files = Files.walk(work.resolve("root"))) {
            Path library = files.filter(file -> file.getFileName().toString().startsWith(NAME))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow();
            Files.createDirectories(into);
            Files.copy(library, into.resolve(NAME));
        }
        MysqlBinaries.run("rm", "-r", work.toString());
    }
}
