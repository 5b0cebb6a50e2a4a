package io.dedupstore.mysql;

import io.dedupstore.spi.TransactionStatements;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statements that commit the transaction around them without saying so (fact F5). Source: the manuals' lists of statements
 * that cause an implicit commit.
 */
final class ImplicitCommit {
    private static final Set<String> ALWAYS = Set.of(
            "alter",
            "analyze",
            "backup",
            "cache",
            "change",
            "check",
            "clone",
            "flush",
            "grant",
            "import",
            "install",
            "lock",
            "optimize",
            "purge",
            "rename",
            "repair",
            "reset",
            "restart",
            "revoke",
            "shutdown",
            "stop",
            "truncate",
            "uninstall",
            "unlock",
            "xa");
    private static final Set<String> SET = Set.of("password", "default"); // the latter's only object is a role
    private static final Pattern ESCAPE_OR_MINUS = Pattern.compile("\\\\.|--(?=[^\\s\\p{Cntrl}])", Pattern.DOTALL);
    private static final Set<String> HIDING = Set.of("call", "execute");

    private ImplicitCommit() {}

    /**
     * Whether one of a text's statements ends the transaction, or is looked for. Backslashes escape in a literal unless
     * {@code sql_mode} says otherwise, and two dashes begin a comment only before a blank: what ends a transaction under
     * either reading is not let through.
     */
    static boolean in(String sql, Predicate<String> lookedFor) {
        if (TransactionStatements.ends(sql, lookedFor)) {
            return true;
        }
        boolean readOtherwise = sql.indexOf('\\') >= 0 || sql.contains("--");
        return readOtherwise
                && TransactionStatements.ends(ESCAPE_OR_MINUS.matcher(sql).replaceAll("  "), lookedFor);
    }

    /** Whether a statement, given from its first word on, does; it is the server's version that decides what it reads. */
    static boolean by(String statement) {
        return by(statement, new Words(statement, true)) || by(statement, new Words(statement, false));
    }

    private static boolean by(String statement, Words words) {
        String first = words.next();
        return switch (first) {
            case "create", "drop" -> !concernsSession(words);
            case "load" -> words.next().equals("index");
            case "set" -> setsAutoCommit(statement) || SET.contains(words.next());
            default -> ALWAYS.contains(first);
        };
    }

    /** A temporary table, or a prepared statement's end. */
    private static boolean concernsSession(Words words) {
        String next = words.next();
        if (next.equals("or")) {
            words.next();
            next = words.next();
        }
        return next.equals("temporary") || next.equals("prepare");
    }

    private static boolean setsAutoCommit(String statement) {
        int end = statement.indexOf(';');
        String own = end < 0 ? statement : statement.substring(0, end);
        return own.toLowerCase(Locale.ROOT).contains("autocommit");
    }

    /** Whether one may be inside: a procedure, a text that is carried out, a statement under settings of its own. */
    static boolean possibleIn(String statement) {
        return mayHide(new Words(statement, true)) || mayHide(new Words(statement, false));
    }

    private static boolean mayHide(Words words) {
        String first = words.next();
        return HIDING.contains(first) || (first.equals("set") && words.next().equals("statement"));
    }

    /** Words in lower case; what stands between them does not count, such as the braces of {@code {? = call …}}. */
    private static final class Words {
        private static final Pattern COMMENT = Pattern.compile("/\\*.*?(\\*/|$)|(#|--\\s)[^\n]*", Pattern.DOTALL);
        private static final Pattern CONDITION = Pattern.compile("/\\*M?!\\d*");

        private final String text;
        private final boolean conditional;
        private int at;

        /** With or without the words of comments that only servers from some version on carry out. */
        Words(String text, boolean conditional) {
            this.text = text;
            this.conditional = conditional;
        }

        String next() {
            while (at < text.length() && !Character.isLetter(text.charAt(at))) {
                at += between();
            }
            int start = at;
            while (at < text.length() && Character.isLetter(text.charAt(at))) {
                at++;
            }
            return text.substring(start, at).toLowerCase(Locale.ROOT);
        }

        private int between() {
            char c = text.charAt(at);
            if (c != '/' && c != '#' && c != '-') {
                return 1;
            }
            Matcher rest = COMMENT.matcher(text).region(at, text.length());
            if (conditional) {
                Matcher condition = CONDITION.matcher(text).region(at, text.length());
                rest = condition.lookingAt() ? condition : rest;
            }
            return rest.lookingAt() ? rest.end() - at : 1;
        }
    }
}
