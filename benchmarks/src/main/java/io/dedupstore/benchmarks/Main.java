package io.dedupstore.benchmarks;

import io.dedupstore.benchmarks.Arguments.UsageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of a profile on servers that it starts, and writes the report. */
public final class Main {
    private final Arguments arguments;
    private final Hosts hosts;
    private final List<RunResult> results = new ArrayList<>();

    private Main(Arguments arguments, Hosts hosts) {
        this.arguments = arguments;
        this.hosts = hosts;
    }

    /** Runs. */
    public static void main(String[] args) throws Exception {
        Arguments arguments;
        try {
            if (args.length > 0 && args[0].equals("plan")) {
                PlanArguments.parse(args).plan().forEach(System.out::println);
                return;
            }
            arguments = Arguments.parse(args);
        } catch (UsageException e) {
            System.err.println(e.getMessage());
            System.err.print(Arguments.USAGE);
            System.exit(2);
            return;
        }
        System.out.println("Report: " + run(arguments, String.join(" ", args)).toAbsolutePath());
        System.exit(0); // peers leave threads behind
    }

    /** Runs, and returns the report's page. */
    static Path run(Arguments arguments, String command) throws Exception {
        try (Hosts hosts = Hosts.start(arguments)) {
            Main run = new Main(arguments, hosts);
            for (Step step : arguments.profile().steps()) {
                if (arguments.only().matcher(step.include()).find()) {
                    run.run(step);
                }
            }
            return new Report(Head.of(command, arguments.profile(), run.settings(), run.roundTrips()), run.results)
                    .writeTo(arguments.out());
        }
    }

    /** A database after the other: contenders of one database stand beside each other in time too. */
    private void run(Step step) throws RunnerException {
        for (Database database : arguments.databases()) {
            for (int threads : step.threads()) {
                List<Contender> contenders = step.contendersOn(database, threads);
                if (step.contenders().isEmpty() || !contenders.isEmpty()) {
                    results.addAll(run(step, database, contenders, threads));
                }
            }
        }
    }

    private Collection<RunResult> run(Step step, Database database, List<Contender> contenders, int threads)
            throws RunnerException {
        String url = hosts.urls().get(database);
        System.setProperty(database.property(), url); // for runs without a fork
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(step.regex())
                .param("database", database.name())
                .shouldFailOnError(true)
                .verbosity(VerboseMode.NORMAL)
                .addProfiler(GCProfiler.class)
                .addProfiler(Extras.class)
                .jvmArgsAppend(
                        "-D" + database.property() + "=" + url,
                        "-Xmx512m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        arguments.profile().time(options);
        if (threads > 0) {
            options.threads(threads);
        }
        if (!contenders.isEmpty()) {
            options.param("contender", contenders.stream().map(Enum::name).toArray(String[]::new));
        }
        step.params().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
        return new Runner(options.build()).run();
    }

    private Map<Database, Map<Contender, String>> roundTrips() throws Exception {
        Map<Database, Map<Contender, String>> roundTrips = new EnumMap<>(Database.class);
        for (Map.Entry<Database, String> host : hosts.urls().entrySet()) {
            Map<Contender, String> counts = RoundTrips.of(host.getKey(), host.getValue());
            if (!counts.isEmpty()) {
                roundTrips.put(host.getKey(), counts);
            }
        }
        return roundTrips;
    }

    private Map<Database, Map<String, String>> settings() throws SQLException {
        Map<Database, Map<String, String>> settings = new EnumMap<>(Database.class);
        for (Map.Entry<Database, String> host : hosts.urls().entrySet()) {
            try (Connection connection = DriverManager.getConnection(host.getValue())) {
                settings.put(host.getKey(), host.getKey().settings(connection));
            }
        }
        return settings;
    }
}
