package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A3: what would end the transaction is known before it is sent. */
class OracleStatementsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "commit work write batch nowait",
                "/* done */ -- really\n commit",
                "ROLLBACK",
                "rollback work",
                "BEGIN",
                "BEGIN;",
                "begin transaction",
                "START TRANSACTION",
                "CREATE TABLE t (a NUMBER)",
                "create or replace procedure p is begin null; end;",
                "ALTER TABLE t ADD (b NUMBER)",
                "drop table t",
                "TRUNCATE TABLE t",
                "RENAME a TO b",
                "GRANT SELECT ON t TO u",
                "REVOKE SELECT ON t FROM u",
                "COMMENT ON TABLE t IS 'x'",
                "ANALYZE TABLE t VALIDATE STRUCTURE",
                "PURGE RECYCLEBIN",
                "BEGIN INSERT INTO t VALUES (1); COMMIT; END;",
                "DECLARE x NUMBER; BEGIN x := 1; ROLLBACK; END;",
                "begin savepoint a; rollback to a; rollback; end;",
                "BEGIN DBMS_TRANSACTION.COMMIT; END;",
                "<<outer>> BEGIN COMMIT; END;",
                "<<outer>>\nDECLARE x NUMBER; BEGIN ROLLBACK; END outer;",
                "begin x := q'[it's]'; commit; end;"
            })
    void a3_ends(String sql) {
        assertThat(OracleStatements.endTransaction(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "INSERT INTO t VALUES ('COMMIT')",
                "UPDATE commit_log SET a = 1",
                "SELECT 1 FROM dual -- COMMIT",
                "MERGE INTO t USING dual ON (1 = 1) WHEN MATCHED THEN UPDATE SET a = 1",
                "LOCK TABLE t IN EXCLUSIVE MODE",
                "SAVEPOINT a",
                "ROLLBACK TO a",
                "rollback work to savepoint a",
                "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY'",
                "alter system flush shared_pool",
                "SET CONSTRAINT c DEFERRED",
                "{call p(?)}",
                "CALL p()",
                "BEGIN p; END;",
                "<<commit>> BEGIN p; END;",
                "BEGIN INSERT INTO t VALUES ('COMMIT;'); /* COMMIT */ -- ROLLBACK\n END;",
                "DECLARE x VARCHAR2(9) := q'[it's commit]'; BEGIN p(x); END;",
                "begin savepoint a; rollback to a; end;",
                "BEGIN \"COMMIT\"; END;",
                "WITH x AS (SELECT 1 a FROM dual) SELECT a FROM x"
            })
    void a3_doesNotEnd(String sql) {
        assertThat(OracleStatements.endTransaction(sql)).isFalse();
    }
}
