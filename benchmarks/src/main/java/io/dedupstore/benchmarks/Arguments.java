package io.dedupstore.benchmarks;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The command line.
 *
 * @param profile how much
 * @param databases on which
 * @param urls of the databases that are not to be started
 * @param only what the names of the benchmarks contain
 * @param out the report's folder
 */
record Arguments(Profile profile, Set<Database> databases, Map<Database, String> urls, Pattern only, Path out) {
    static final String USAGE = """
            Usage: quick|targets|full|smoke [--db sqlite,postgres,mysql] [--url JDBC-URL]... [--only REGEX] [--out FOLDER]
                   plan results.json --db NAME --peak N --average N [--redelivered SHARE] [--hold-ms N]
                        [--retention-days N] [--instances N]

              quick          the main figures, in less than five minutes for the three databases
              targets        what the library sets itself to reach, and whether it does: a quarter of an hour
                             for each database
              full           everything, some hours
              smoke          every benchmark for a blink, to see that it runs
              --db NAMES     on these databases only
              --url URL      on this server, instead of one that is started for the run. Tables named
                             account, dedup_claim*, hand_claim and those of the peers are made there
              --only REGEX   only the benchmarks whose class and method it is found in
              --out FOLDER   where report.html, report.md and results.json go; "benchmark-report" if not given

              plan           what a load needs, by what was measured: deliveries a second at the peak and over
                             the day, the share that comes again (0.05), how long the work holds its
                             transaction beyond one UPDATE (0), how long claims are kept (14), consumers (1)
            """;

    /** A mistake on the command line. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    static Arguments parse(String... args) throws UsageException {
        if (args.length == 0) {
            throw new UsageException("Which profile?");
        }
        Profile profile = oneOf(Profile.class, args[0]);
        Set<Database> databases = EnumSet.allOf(Database.class);
        Map<Database, String> urls = new EnumMap<>(Database.class);
        Pattern only = Pattern.compile("");
        Path out = Path.of("benchmark-report");
        for (int i = 1; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new UsageException(args[i] + " needs a value.");
            }
            String value = args[i + 1];
            switch (args[i]) {
                case "--db" -> databases = databases(value);
                case "--url" -> urls.put(databaseOf(value), value);
                case "--only" -> only = pattern(value);
                case "--out" -> out = Path.of(value);
                default -> throw new UsageException("There is no option " + args[i] + ".");
            }
        }
        return new Arguments(profile, databases, urls, only, out);
    }

    static <E extends Enum<E>> E oneOf(Class<E> type, String name) throws UsageException {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw new UsageException("There is no " + type.getSimpleName().toLowerCase(Locale.ROOT) + " " + name + ".");
    }

    private static Set<Database> databases(String names) throws UsageException {
        Set<Database> databases = EnumSet.noneOf(Database.class);
        for (String name : names.split(",", -1)) {
            databases.add(oneOf(Database.class, name));
        }
        return databases;
    }

    private static Database databaseOf(String url) throws UsageException {
        String[] parts = url.split(":", 3);
        return switch (parts.length == 3 && parts[0].equals("jdbc") ? parts[1] : "") {
            case "sqlite" -> Database.SQLITE;
            case "postgresql" -> Database.POSTGRES;
            case "mysql" -> Database.MYSQL;
            default -> throw new UsageException("--url takes jdbc:sqlite:..., jdbc:postgresql:... or jdbc:mysql:...");
        };
    }

    private static Pattern pattern(String regex) throws UsageException {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new UsageException("--only: " + e.getDescription() + ".");
        }
    }
}
