package io.dedupstore.brokers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The files of one RabbitMQ server, in a folder of its own. */
final class RabbitFolder {
    private static final String LOG = "server.log";

    private final Path folder;

    RabbitFolder(int port, List<String> settings) {
        try {
            folder = Files.createTempDirectory("dedup-rabbit");
            for (String name : List.of("home", "data", "log")) {
                Files.createDirectory(folder.resolve(name));
            }
            Files.writeString(folder.resolve("plugins"), "[].\n");
            Files.write(folder.resolve("rabbitmq.conf"), configuration(port, settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> configuration(int port, List<String> settings) {
        List<String> lines = new ArrayList<>(List.of(
                "listeners.tcp.1 = 127.0.0.1:" + port,
                "log.console = true",
                "log.console.level = warning",
                "log.file = false",
                // the defaults are shares of the machine's, below which all publishers are blocked
                "vm_memory_high_watermark.absolute = 512MiB",
                "disk_free_limit.absolute = 50MB"));
        lines.addAll(settings);
        return lines;
    }

    String path(String name) {
        return folder.resolve(name).toString();
    }

    File logFile() {
        return folder.resolve(LOG).toFile();
    }

    String log() {
        try {
            return Files.exists(folder.resolve(LOG)) ? Files.readString(folder.resolve(LOG)) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server's own process, which it writes down when it starts. */
    OptionalLong pid() {
        try {
            Path file = folder.resolve("pid");
            return Files.exists(file)
                    ? OptionalLong.of(Long.parseLong(Files.readString(file).trim()))
                    : OptionalLong.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void forgetPid() {
        try {
            Files.deleteIfExists(folder.resolve("pid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete() {
        try (Stream<Path> files = Files.exists(folder) ? Files.walk(folder) : Stream.empty()) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("Left behind: " + folder);
        }
    }
}
