package io.dedupstore.oracle;

import io.debezium.ddl.parser.oracle.generated.PlSqlLexer;
import io.debezium.ddl.parser.oracle.generated.PlSqlParser;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;

/**
 * Two readers of Oracle's language. They know its syntax only: whether a column exists, what a function takes, and what is in
 * a hint, they do not see.
 */
final class Grammars {
    private static final Set<String> DML = Set.of("select", "insert", "update", "delete", "merge");

    private Grammars() {}

    /** Whether all grammars that apply to a statement take it. */
    static boolean accept(String sql) {
        return plSqlAccepts(sql) && (!DriversGrammar.PRESENT || !isDml(sql) || driverAccepts(sql));
    }

    static boolean isDml(String sql) {
        return DML.contains(firstWord(sql));
    }

    private static String firstWord(String sql) {
        return sql.strip().split("\\W", 2)[0].toLowerCase(Locale.ROOT);
    }

    /** Debezium's grammar of SQL and PL/SQL, about that of release 19c. */
    static boolean plSqlAccepts(String sql) {
        boolean[] failed = new boolean[1];
        BaseErrorListener listener = new BaseErrorListener() {
            @Override
            public void syntaxError(
                    Recognizer<?, ?> recognizer, Object symbol, int line, int at, String text, RecognitionException e) {
                failed[0] = true;
            }
        };
        PlSqlLexer lexer = new PlSqlLexer(CharStreams.fromString(numbered(sql)));
        lexer.removeErrorListeners();
        lexer.addErrorListener(listener);
        PlSqlParser parser = new PlSqlParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(listener);
        parser.sql_script();
        return !failed[0] && parser.getTokenStream().LA(1) == Token.EOF;
    }

    /** With {@code :1} for the first question mark and so on, which is what the driver sends. */
    private static String numbered(String sql) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (String part : sql.split("\\?", -1)) {
            text.append(number == 0 ? "" : ":" + number).append(part);
            number++;
        }
        return text.toString();
    }

    /** The driver's own grammar of queries and DML, about that of release 23ai. */
    static boolean driverAccepts(String sql) {
        try {
            return DriversGrammar.accepts(sql, firstWord(sql));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The driver's grammar is there, but not as it was", e);
        }
    }

    /** Undocumented, so used as it is found, and not at all where it is not. */
    static final class DriversGrammar {
        private static final String PACKAGE = "oracle.jdbc.driver.parser.";
        static final boolean PRESENT = present();

        private DriversGrammar() {}

        private static boolean present() {
            try {
                Class.forName(PACKAGE + "SqlEarley");
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        }

        private static boolean accepts(String sql, String symbol) throws ReflectiveOperationException {
            Class<?> type = Class.forName(PACKAGE + "SqlEarley");
            Object parser = type.getMethod("getInstance").invoke(null);
            Object tokens = Class.forName(PACKAGE + "Lexer")
                    .getMethod("parse", String.class)
                    .invoke(null, sql);
            Method parse = type.getMethod("parse", List.class);
            Object root = parse.invoke(parser, tokens);
            int wanted = (int) type.getMethod("getSymbol", String.class).invoke(parser, symbol);
            // a text that is not understood as a whole comes as several trees
            boolean whole = root.getClass().getField("topLevel").get(root) == null;
            int[] found = (int[]) root.getClass().getMethod("content").invoke(root);
            return whole && java.util.Arrays.stream(found).anyMatch(s -> s == wanted);
        }
    }
}
