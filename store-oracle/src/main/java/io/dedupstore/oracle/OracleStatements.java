package io.dedupstore.oracle;

import java.util.Locale;
import java.util.Set;

/**
 * Recognises texts that end a transaction on Oracle: COMMIT, ROLLBACK, every DDL statement, which commits before and after
 * itself, and PL/SQL blocks with a COMMIT or ROLLBACK in them. Not what is inside a stored procedure or a dynamic statement.
 */
final class OracleStatements {
    private static final Set<String> DDL = Set.of(
            "alter",
            "analyze",
            "associate",
            "audit",
            "comment",
            "create",
            "disassociate",
            "drop",
            "flashback",
            "grant",
            "noaudit",
            "purge",
            "rename",
            "revoke",
            "truncate");

    private final String sql;
    private int at;

    private OracleStatements(String sql) {
        this.sql = sql;
    }

    static boolean endTransaction(String sql) {
        return new OracleStatements(sql).found();
    }

    private boolean found() {
        String first = word();
        return switch (first) {
            case "commit" -> true;
            case "rollback" -> !toSavepoint(word());
            case "begin" -> blockEnds(word());
            case "declare" -> blockEnds("declare");
            // of the session and of the instance: neither is DDL
            case "alter" -> !Set.of("session", "system").contains(word());
            // of other databases; here it can only be a mistake
            case "start" -> true;
            default -> DDL.contains(first);
        };
    }

    private boolean toSavepoint(String next) {
        return next.equals("to") || (next.equals("work") && word().equals("to"));
    }

    /** From a block's first word on; BEGIN alone is another database's way to begin a transaction. */
    private boolean blockEnds(String first) {
        if (first.isEmpty() || first.equals("transaction") || first.equals("work")) {
            return true;
        }
        for (String word = first; !word.isEmpty(); word = word()) {
            if (word.equals("commit") || (word.equals("rollback") && !toSavepoint(word()))) {
                return true;
            }
        }
        return false;
    }

    /** The next word, in lower case, past blanks, marks, comments, literals and quoted names; empty at the end. */
    private String word() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isLetter(c)) {
                int start = at;
                while (at < sql.length() && inWord(sql.charAt(at))) {
                    at++;
                }
                String word = sql.substring(start, at).toLowerCase(Locale.ROOT);
                if (!skipQuotedBy(word)) {
                    return word;
                }
            } else if (sql.startsWith("--", at)) {
                skipPast("\n", at);
            } else if (sql.startsWith("/*", at)) {
                skipPast("*/", at + 2);
            } else if (sql.startsWith("<<", at)) {
                skipPast(">>", at + 2); // a label, also in front of a block
            } else if (c == '\'' || c == '"') {
                skipPast(String.valueOf(c), at + 1);
            } else {
                at++;
            }
        }
        return "";
    }

    /** {@code q'[it's]'}, in which a quote ends nothing. */
    private boolean skipQuotedBy(String word) {
        boolean quoting = (word.equals("q") || word.equals("nq")) && at + 1 < sql.length() && sql.charAt(at) == '\'';
        if (quoting) {
            char open = sql.charAt(at + 1);
            int pair = "[{(<".indexOf(open);
            skipPast((pair < 0 ? open : "]})>".charAt(pair)) + "'", at + 2);
        }
        return quoting;
    }

    private static boolean inWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '#';
    }

    private void skipPast(String mark, int from) {
        int found = sql.indexOf(mark, from);
        at = found < 0 ? sql.length() : found + mark.length();
    }
}
