package io.dedupstore.spi;

import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Recognises texts that begin or end a transaction, by the first word of each of their statements, past white space and
 * comments. A helper for {@link DedupDialect#endsTransaction}; no parser, and no promise for statements inside procedures.
 */
public final class TransactionStatements {
    private static final Set<String> WORDS = Set.of("commit", "rollback", "begin", "start", "end", "abort");
    private static final Set<String> WITH_BODY = Set.of("trigger", "procedure", "function", "package", "event", "type");

    private final String sql;
    private final boolean nested;
    private int at;

    private TransactionStatements(String sql, boolean nested) {
        this.sql = sql;
        this.nested = nested;
    }

    /**
     * Says whether a text holds a statement that begins or ends a transaction; rolling back to a savepoint does neither.
     *
     * @param sql one statement, or several with semicolons between them: some drivers carry out all
     * @return whether it does
     */
    public static boolean ends(String sql) {
        return ends(sql, statement -> false);
    }

    /**
     * Says whether a text holds a statement that begins or ends a transaction, or one that this database's dialect is
     * looking for.
     *
     * @param sql one statement, or several with semicolons between them
     * @param more asked for each statement; given the text from its first word on, up to the end of all
     * @return whether it does
     */
    public static boolean ends(String sql, Predicate<String> more) {
        // comments nest on some databases only: what ends a transaction under either reading is not let through
        return new TransactionStatements(sql, false).found(more)
                || (sql.contains("/*") && new TransactionStatements(sql, true).found(more));
    }

    private boolean found(Predicate<String> more) {
        while (skipBlanks()) {
            if (more.test(sql.substring(at))) {
                return true;
            }
            String first = word();
            if (WORDS.contains(first)) {
                if (!first.equals("rollback") || !toSavepoint()) {
                    return true;
                }
            } else if (first.equals("create") && hasBody()) {
                return false; // the semicolons that follow are inside it
            }
            skipStatement();
        }
        return false;
    }

    private boolean toSavepoint() {
        skipBlanks();
        String next = word();
        if (next.equals("transaction") || next.equals("work")) {
            skipBlanks();
            next = word();
        }
        return next.equals("to");
    }

    /** CREATE [OR REPLACE] [TEMP | DEFINER …] TRIGGER and the like. */
    private boolean hasBody() {
        for (int words = 0; words < 5 && skipBlanks(); words++) {
            if (WITH_BODY.contains(word())) {
                return true;
            }
        }
        return false;
    }

    /** The word here, in lower case; empty, and one character passed, if there is none. */
    private String word() {
        int start = at;
        while (at < sql.length() && Character.isLetter(sql.charAt(at))) {
            at++;
        }
        String word = sql.substring(start, at).toLowerCase(Locale.ROOT);
        if (word.isEmpty() && at < sql.length()) {
            at++;
        }
        return word;
    }

    /** To behind the next semicolon that is neither quoted nor in a comment. */
    private void skipStatement() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == ';') {
                at++;
                return;
            }
            if (c == '\'' || c == '"' || c == '`') {
                at = past(String.valueOf(c), at + 1);
            } else if (c == '$') {
                skipDollarQuoted();
            } else if (!skipComment()) {
                at++;
            }
        }
    }

    /** PostgreSQL's $tag$ … $tag$; a lone dollar is none. */
    private void skipDollarQuoted() {
        int end = sql.indexOf('$', at + 1);
        boolean tag = end > 0 && sql.substring(at + 1, end).chars().allMatch(Character::isLetterOrDigit);
        at = tag ? past(sql.substring(at, end + 1), end + 1) : at + 1;
    }

    /** To where a statement begins; false at the end. */
    private boolean skipBlanks() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isWhitespace(c) || c == ';' || c == '\ufeff') {
                at++;
            } else if (sql.startsWith("/*!", at) || sql.startsWith("/*M!", at)) {
                skipMarker(); // MySQL and MariaDB carry out what is in it
            } else if (c == '#') {
                at = past("\n", at);
            } else if (!skipComment()) {
                return true;
            }
        }
        return false;
    }

    private void skipMarker() {
        at = sql.indexOf('!', at) + 1;
        while (at < sql.length() && Character.isDigit(sql.charAt(at))) {
            at++;
        }
    }

    private boolean skipComment() {
        if (sql.startsWith("--", at)) {
            at = past("\n", at);
            return true;
        }
        if (!sql.startsWith("/*", at)) {
            return false;
        }
        at += 2;
        for (int open = 1; open > 0 && at < sql.length(); ) {
            if (sql.startsWith("*/", at)) {
                open--;
                at += 2;
            } else if (nested && sql.startsWith("/*", at)) {
                open++;
                at += 2;
            } else {
                at++;
            }
        }
        return true;
    }

    private int past(String mark, int from) {
        int found = sql.indexOf(mark, from);
        return found < 0 ? sql.length() : found + mark.length();
    }
}
