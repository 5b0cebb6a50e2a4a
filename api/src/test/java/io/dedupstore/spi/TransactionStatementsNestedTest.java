package io.dedupstore.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL nests comments; MySQL runs what is in /*! and takes # for a comment. */
class TransactionStatementsNestedTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/* a /* b */ c */ COMMIT",
                "/*! COMMIT */",
                "/*!50000 COMMIT */",
                "/*M! COMMIT */",
                "# x\nCOMMIT",
                "SELECT 1; COMMIT",
                "UPDATE t SET a = 1; /* x */ ROLLBACK",
                "\ufeffCOMMIT",
                "SELECT 'a;b'; COMMIT",
                "SELECT $x$ ; $x$; COMMIT",
                "SELECT 1 -- ;\n; END",
                "CREATE TABLE t (a int); COMMIT"
            })
    void a3_endsATransactionOnSomeDatabase(String sql) {
        assertThat(TransactionStatements.ends(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT ';COMMIT'",
                "SELECT \"; COMMIT\"",
                "SELECT 1 -- ; COMMIT",
                "SELECT 1 /* ; COMMIT */",
                "SELECT $f$ ; COMMIT; $f$",
                "UPDATE t SET a = 1; SELECT 2;",
                "ROLLBACK TO x; SELECT 1",
                "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE b SET c = 1; END",
                "CREATE OR REPLACE FUNCTION f() RETURNS int AS 'x' LANGUAGE sql; SELECT 1",
                ";;;",
                "$",
                "'"
            })
    void a3_doesNot(String sql) {
        assertThat(TransactionStatements.ends(sql)).isFalse();
    }
}
