package io.dedupstore.spi;

import java.util.Locale;
import java.util.Set;

/**
 * Recognises a statement that begins or ends a transaction by its first words, past white space and comments. A helper for
 * {@link DedupDialect#endsTransaction}; no parser, and no promise for statements hidden in procedures.
 */
public final class TransactionStatements {
    private static final Set<String> WORDS = Set.of("commit", "rollback", "begin", "start", "end", "abort");

    private TransactionStatements() {}

    /**
     * Says whether a statement begins or ends a transaction; rolling back to a savepoint does neither.
     *
     * @param sql the statement
     * @return whether it does
     */
    public static boolean ends(String sql) {
        int start = skipBlanks(sql, 0);
        int end = wordEnd(sql, start);
        // the longest of the words has eight letters: most statements are told without making a string
        if (end - start < 3 || end - start > 8 || !WORDS.contains(word(sql, start, end))) {
            return false;
        }
        return !word(sql, start, end).equals("rollback") || !toSavepoint(sql, end);
    }

    private static boolean toSavepoint(String sql, int from) {
        int start = skipBlanks(sql, from);
        int end = wordEnd(sql, start);
        String next = word(sql, start, end);
        if (next.equals("transaction") || next.equals("work")) {
            start = skipBlanks(sql, end);
            next = word(sql, start, wordEnd(sql, start));
        }
        return next.equals("to");
    }

    private static String word(String sql, int start, int end) {
        return sql.substring(start, end).toLowerCase(Locale.ROOT);
    }

    private static int wordEnd(String sql, int start) {
        int i = start;
        while (i < sql.length() && Character.isLetter(sql.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int skipBlanks(String sql, int from) {
        int i = from;
        while (i < sql.length()) {
            if (Character.isWhitespace(sql.charAt(i)) || sql.charAt(i) == ';') {
                i++;
            } else if (sql.startsWith("--", i)) {
                i = past(sql, "\n", i);
            } else if (sql.startsWith("/*", i)) {
                i = past(sql, "*/", i + 2);
            } else {
                break;
            }
        }
        return i;
    }

    private static int past(String sql, String mark, int from) {
        int at = sql.indexOf(mark, from);
        return at < 0 ? sql.length() : at + mark.length();
    }
}
