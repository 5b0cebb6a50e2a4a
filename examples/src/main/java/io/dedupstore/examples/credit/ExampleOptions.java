package io.dedupstore.examples.credit;

import io.dedupstore.examples.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * The command line of each example.
 *
 * @param help whether to print the help and nothing else
 * @param broker the broker's address, or null for one of the example's own
 * @param database a JDBC URL, or null for a database of the example's own
 */
public record ExampleOptions(
        boolean help, @Nullable String broker, @Nullable String database) {
    /**
     * Parses it.
     *
     * @param args the arguments
     * @return the options
     * @throws UsageException if one is not known or lacks its value; none is quoted, for it may be a URL with a password
     */
    public static ExampleOptions parse(String... args) throws UsageException {
        boolean help = false;
        String broker = null;
        String database = null;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--help", "-h" -> help = true;
                case "--broker" -> broker = value(args, ++i);
                case "--db" -> database = value(args, ++i);
                default -> throw new UsageException("Argument " + (i + 1) + " is no option. See --help.");
            }
        }
        return new ExampleOptions(help, broker, database);
    }

    private static String value(String[] args, int index) throws UsageException {
        if (index >= args.length || args[index].startsWith("--")) {
            throw new UsageException("Option " + args[index - 1] + " needs a value. See --help.");
        }
        return args[index];
    }

    /** {@return no address: it may hold a password} */
    @Override
    public String toString() {
        return "ExampleOptions[help=" + help + "]";
    }
}
