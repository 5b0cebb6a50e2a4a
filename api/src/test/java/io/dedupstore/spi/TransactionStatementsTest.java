package io.dedupstore.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionStatementsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "commit",
                "CoMmIt",
                "COMMIT;",
                "COMMIT WORK",
                "COMMIT TRANSACTION",
                "COMMIT AND CHAIN",
                "COMMIT PREPARED 'x'",
                "COMMIT/**/",
                "COMMIT--",
                "  \t\r\n COMMIT",
                ";COMMIT",
                " ; ; COMMIT",
                "\u2003COMMIT",
                "/* done */ COMMIT",
                "/**/COMMIT",
                "/***/COMMIT",
                "/* a *//* b */ -- c\n /* d */COMMIT",
                "/* a /* b */ COMMIT",
                "-- really\nCOMMIT",
                "--\nCOMMIT",
                "-- a\r\n-- b\r\nCOMMIT",
                "/* -- */ COMMIT",
                "-- /*\nCOMMIT",
                "ROLLBACK",
                "ROLLBACK;",
                "rollback work",
                "ROLLBACK TRANSACTION",
                "ROLLBACK AND CHAIN",
                "ROLLBACK AND NO CHAIN",
                "ROLLBACK PREPARED 'x'",
                "BEGIN",
                "BEGIN IMMEDIATE",
                "begin transaction",
                "START TRANSACTION",
                "start transaction read only",
                "END",
                "END TRANSACTION",
                "ABORT",
                "ABORT WORK"
            })
    void a3_statementsThatBeginOrEndATransactionAreRecognised(String sql) {
        assertThat(TransactionStatements.ends(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ";",
                ";;",
                "\n",
                "--",
                "-- COMMIT",
                "/*",
                "/* COMMIT",
                "/* COMMIT *",
                "/*/ COMMIT",
                "/* COMMIT */",
                "-- a\n-- COMMIT",
                "SELECT 1",
                "select 'COMMIT'",
                "SELECT 1 /* COMMIT */",
                "UPDATE account SET state = 'begin'",
                "INSERT INTO commit_log (id) VALUES (1)",
                "DELETE FROM start",
                "commits",
                "beginning",
                "ending",
                "starting",
                "rollbacks",
                "aborted",
                "co mmit",
                "SAVEPOINT a",
                "RELEASE SAVEPOINT a",
                "ROLLBACK TO a",
                "ROLLBACK TO SAVEPOINT a",
                "rollback to savepoint commit",
                "ROLLBACK WORK TO a",
                "ROLLBACK TRANSACTION TO SAVEPOINT a",
                "/* x */ ROLLBACK /* y */ WORK -- z\n TO SAVEPOINT a",
                "ROLLBACK\nTO a",
                "WITH x AS (SELECT 1) SELECT * FROM x",
                "(SELECT 1)",
                "EXPLAIN COMMIT",
                "\u0131nsert",
                "-",
                "/",
                "- COMMIT"
            })
    void a3_otherStatementsPass(String sql) {
        assertThat(TransactionStatements.ends(sql)).isFalse();
    }

    @Test
    void a3_theJvmsLocaleDoesNotMatter() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(TransactionStatements.ends("COMMIT")).isTrue();
            assertThat(TransactionStatements.ends("BEGIN IMMEDIATE")).isTrue();
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aLongStatementIsToldByItsFirstWord() {
        assertThat(TransactionStatements.ends("x".repeat(1_000_000))).isFalse();
        assertThat(TransactionStatements.ends(" ".repeat(1_000_000) + "commit")).isTrue();
        assertThat(TransactionStatements.ends("/* */".repeat(100_000) + "commit"))
                .isTrue();
    }
}
