package io.dedupstore.benchmarks;

import io.dedupstore.benchmarks.Arguments.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The planner's command line.
 *
 * @param results of a run
 * @param database to plan for
 * @param load of the team's own
 */
record PlanArguments(Path results, Database database, Load load) {
    static PlanArguments parse(String... args) throws UsageException {
        if (args.length < 2) {
            throw new UsageException("plan needs the results.json of a run.");
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 2; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new UsageException(args[i] + " needs a value.");
            }
            options.put(args[i], args[i + 1]);
        }
        Database database = Arguments.oneOf(Database.class, take(options, "--db", ""));
        Load load = new Load(
                number(options, "--peak", ""),
                number(options, "--average", ""),
                number(options, "--redelivered", "0.05"),
                number(options, "--hold-ms", "0"),
                number(options, "--retention-days", "14"),
                (int) number(options, "--instances", "1"));
        if (load.peak() <= 0 || load.redelivered() > 1 || load.instances() < 1) {
            throw new UsageException("--peak must be above 0, --redelivered from 0 to 1, --instances at least 1.");
        }
        if (!options.isEmpty()) {
            throw new UsageException(
                    "There is no option " + options.keySet().iterator().next() + ".");
        }
        return new PlanArguments(Path.of(args[1]), database, load);
    }

    private static String take(Map<String, String> options, String name, String usual) {
        String given = options.remove(name);
        return given == null ? usual : given;
    }

    private static double number(Map<String, String> options, String name, String usual) throws UsageException {
        String text = take(options, name, usual);
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageException(name + " needs a number, not negative.");
    }

    List<String> plan() throws UsageException {
        try {
            Measured measured = new Measured(results, database);
            List<String> lines = new ArrayList<>(new Planner(measured, load).plan());
            lines.addAll(Check.lines(measured));
            return lines;
        } catch (IOException e) {
            throw new UsageException("The results cannot be read: " + results + " must be the results.json of a run.");
        }
    }
}
