package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F5, by the text alone; {@link BrokenWorkTest} has the server's side. */
class ImplicitCommitTest {
    private static final DedupDialect DIALECT = new MysqlDialect(
            TableName.of(TableName.DEFAULT),
            new SessionSettings.Server(
                    false, "8.0.12", "transaction_isolation", new SessionSettings("READ-COMMITTED", 5)));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (id INT)",
                "create or replace table t (id int)",
                "/* ids */ CREATE INDEX i ON t (id)",
                "/*!50000 ALTER */ TABLE t ADD c INT",
                "ALTER TABLE t ADD c INT",
                "DROP TABLE t",
                "TRUNCATE t",
                "RENAME TABLE a TO b",
                "GRANT SELECT ON t TO u",
                "LOCK TABLES t WRITE",
                "UNLOCK TABLES",
                "ANALYZE TABLE t",
                "OPTIMIZE TABLE t",
                "LOAD INDEX INTO CACHE t",
                "FLUSH TABLES",
                "SET autocommit = 1",
                "SET @x = 1, @@session.AutoCommit = 0",
                "SET PASSWORD = 'x'",
                "SET /* it */ PASSWORD = 'x'",
                "CREATE /* temporary */ TABLE t (id INT)",
                "CREATE # temporary\nTABLE t (id INT)",
                "CREATE -- temporary\nTABLE t (id INT)",
                "CREATE /*!99999 TEMPORARY */ TABLE t (id INT)", // on every server that is older
                "LOAD /* it */ INDEX INTO CACHE t",
                "SET DEFAULT ROLE NONE TO u",
                "XA START 'x'",
                "SELECT 1; DROP TABLE t",
                "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @x = 1",
                "UPDATE t SET a = 'it\\'s'; COMMIT",
                "UPDATE t SET a = \"\\\"\"; COMMIT",
                "UPDATE t SET a = 'C:\\'; COMMIT",
                "UPDATE t SET a = 5--1; COMMIT",
                "COMMIT",
                "START TRANSACTION"
            })
    void f5_endsTheTransaction(String sql) {
        assertThat(DIALECT.endsTransaction(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TEMPORARY TABLE t (id INT)",
                "DROP TEMPORARY TABLE t",
                "CREATE /* of ids */ TEMPORARY TABLE t (id INT)",
                "DROP PREPARE s",
                "LOAD DATA INFILE 'x' INTO TABLE t",
                "SET @x = 1",
                "SET SESSION sort_buffer_size = 1000000",
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                "ROLLBACK TO SAVEPOINT s",
                "INSERT INTO t VALUES ('x; COMMIT')",
                "REPLACE INTO t VALUES (1)",
                "SELECT create_time FROM t",
                "INSERT INTO t VALUES ('it\\'s so')",
                "UPDATE t SET a = 5--1",
                "CALL p()",
                "UPDATE t SET a = 1 -- ; COMMIT",
                "-- nothing"
            })
    void f5_doesNot(String sql) {
        assertThat(DIALECT.endsTransaction(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL p()",
                "{call p()}",
                "{? = call f()}",
                "/* x */ EXECUTE s",
                "SET STATEMENT x=1 FOR SELECT 1",
                "SET /* x */ STATEMENT x=1 FOR SELECT 1",
                "SET /*M!100100 STATEMENT x=1 FOR */ SELECT 1"
            })
    void f2_canHideOne(String sql) {
        assertThat(DIALECT.isOpaque(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT call_id FROM t", "UPDATE t SET a = 1", "SET @x = 1"})
    void f2_cannotHideOne(String sql) {
        assertThat(DIALECT.isOpaque(sql)).isFalse();
    }
}
