package io.dedupstore.examples;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The demo's command line.
 *
 * @param help whether to print the help and nothing else
 * @param keep whether to leave the tables behind
 * @param file the deliveries, or null for the built-in ones
 * @param database a URL, or the name of a server to start, or null for a temporary SQLite file
 */
record Options(
        boolean help,
        boolean keep,
        @Nullable Path file,
        @Nullable String database) {
    static final String USAGE =
            "Usage: Demo [--file FILE] [--db JDBC-URL|mysql|postgres] [--keep] [--help]" + System.lineSeparator();

    static final String HELP = (USAGE + """

            Replays a file of deliveries twice, without and with the claim. A consumer process of its
            own applies them, and is killed (SIGKILL) where the file says so. Then every balance is
            compared with the expected one.

              --file FILE    deliveries to replay, instead of the built-in ones
              --db JDBC-URL  database to use, instead of a temporary SQLite file. The demo creates
                             tables named dedup_demo_*, touches no others, and drops them at the end
              --db mysql     starts a MySQL server of its own, and removes it at the end
              --db postgres  starts a PostgreSQL server of its own, and removes it at the end
              --keep         leave tables and temporary file behind, and say where
              --help         print this

            The file holds one JSON object per line, one per delivery; blank lines are skipped.
              case           title of the case; each case has one account of its own
              event          id of the event; the same id again is a redelivery
              account        whom to credit: lower-case letters, digits and . _ -
              amount         how much, in minor units; every account begins with 10000
              then           what happens to this delivery:
                ack                commits and acknowledges
                roll-back          the work throws after the credit, before the commit
                die-before-commit  the consumer is killed after the credit, before the commit
                die-after-commit   the consumer is killed after the commit, before the ack
                outrun             takes longer than the visibility window: the next line, the same
                                   event with "ack", goes to a second consumer before the first commits
              withClaim, withoutClaim  (optional) balance expected after this delivery
            Unless a line says otherwise, expected is: without the claim every commit counts; with it
            the first commit of an event counts, and the same id with another payload is a conflict.

            Exit code: 0 all as expected; 1 something was not, or the demo broke off; 2 bad option, bad
            file or unusable database, nothing was applied.
            """).replace("\n", System.lineSeparator());

    static Options parse(String[] args) throws UsageException {
        boolean help = false;
        boolean keep = false;
        Path file = null;
        String database = null;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--help", "-h" -> help = true;
                case "--keep" -> keep = true;
                case "--file" -> file = path(value(args, ++i));
                case "--db" -> database = value(args, ++i);
                // not quoted: it may be a URL with a password
                default -> throw new UsageException("Argument " + (i + 1) + " is no option.\n" + USAGE);
            }
        }
        return new Options(help, keep, file, database);
    }

    private static String value(String[] args, int index) throws UsageException {
        if (index >= args.length || args[index].startsWith("--")) {
            throw new UsageException("Option " + args[index - 1] + " needs a value.\n" + USAGE);
        }
        return args[index];
    }

    private static Path path(String value) throws UsageException {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new UsageException("The value of --file is no path.\n" + USAGE);
        }
    }

    String fileName() {
        return file == null ? "the built-in file" : file.toString();
    }

    /** {@return no URL: it may hold a password} */
    @Override
    public String toString() {
        return "Options[file=" + file + "]";
    }
}
