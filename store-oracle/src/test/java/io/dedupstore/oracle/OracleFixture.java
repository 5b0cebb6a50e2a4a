package io.dedupstore.oracle;

import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import io.dedupstore.tck.BackendFixture;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a real Oracle and the emulated one have in common. */
abstract class OracleFixture implements BackendFixture {
    /** Oracle has no setting for it: the fixtures' connections take this text for an order to themselves. */
    static final String SHORT_WAITS = "SELECT 'statements of this transaction wait for a second at most' FROM dual";

    private static final String COLUMNS = "key_digest RAW(32) NOT NULL, tenant VARCHAR2(128 CHAR) NOT NULL,"
            + " consumer VARCHAR2(256 CHAR) NOT NULL, event_id VARCHAR2(510 CHAR) NOT NULL,"
            + " hash_scheme VARCHAR2(32 CHAR) NOT NULL, payload_hash RAW(64) NOT NULL, claim_id RAW(16) NOT NULL,"
            + " claimed_at TIMESTAMP(6) DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP) NOT NULL";
    private static final String KEY = ", CONSTRAINT %s_pk PRIMARY KEY (key_digest)";

    private final boolean locking;

    OracleFixture(boolean locking) {
        this.locking = locking;
    }

    boolean locking() {
        return locking;
    }

    @Override
    public DedupDialect dialect(Connection connection, TableName table) throws java.sql.SQLException {
        EmulatedStatement.know(new OracleSql(table));
        return locking ? OracleDialectProvider.withDbmsLock(table) : BackendFixture.super.dialect(connection, table);
    }

    @Override
    public String shortLockWait() {
        return SHORT_WAITS;
    }

    /** Oracle has no statement for it. */
    @Override
    public String begin() {
        return "";
    }

    @Override
    public List<Integer> snapshotLevels() {
        return List.of(Connection.TRANSACTION_SERIALIZABLE);
    }

    /** The driver and DBMS_LOCK count whole seconds. */
    @Override
    public Duration allowedOvershoot() {
        return Duration.ofSeconds(1);
    }

    private static String table(String columns, String key) {
        return "CREATE TABLE %s (" + columns + key + ")";
    }

    @Override
    public Map<String, String> unfitTables() {
        Map<String, String> unfit = new LinkedHashMap<>();
        unfit.put("no key", table(COLUMNS, ""));
        unfit.put("key of another name", table(COLUMNS, KEY.replace("%s_pk", "%s_key")));
        unfit.put("key without a name", table(COLUMNS, ", PRIMARY KEY (key_digest)"));
        unfit.put("wider key", table(COLUMNS, KEY.replace("(key_digest)", "(key_digest, claimed_at)")));
        unfit.put("another column's key", table(COLUMNS, KEY.replace("(key_digest)", "(claim_id)")));
        unfit.put("another unique key", table(COLUMNS, KEY + ", CONSTRAINT %s_u UNIQUE (event_id)"));
        unfit.put(
                "another unique index",
                table(COLUMNS, KEY) + ";\nCREATE UNIQUE INDEX %s_u ON %s (tenant, consumer, event_id)");
        unfit.put("digest as text", table(COLUMNS.replace("key_digest RAW(32)", "key_digest VARCHAR2(64)"), KEY));
        unfit.put("short digest", table(COLUMNS.replace("key_digest RAW(32)", "key_digest RAW(31)"), KEY));
        unfit.put("short hash", table(COLUMNS.replace("RAW(64)", "RAW(32)"), KEY));
        unfit.put("short id", table(COLUMNS.replace("510", "254"), KEY));
        unfit.put("id of fixed length", table(COLUMNS.replace("event_id VARCHAR2", "event_id CHAR"), KEY));
        unfit.put("number as id", table(COLUMNS.replace("event_id VARCHAR2(510 CHAR)", "event_id NUMBER(38)"), KEY));
        unfit.put("time with zone", table(COLUMNS.replace("TIMESTAMP(6) ", "TIMESTAMP(6) WITH TIME ZONE "), KEY));
        unfit.put("time without default", table(COLUMNS.replace(" DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP)", ""), KEY));
        unfit.put("further column", table(COLUMNS + ", more VARCHAR2(9) NOT NULL", KEY));
        unfit.put("missing column", table(COLUMNS.replace(" claim_id RAW(16) NOT NULL,", ""), KEY));
        unfit.put(
                "temporary",
                table(COLUMNS, KEY).replace("CREATE TABLE", "CREATE GLOBAL TEMPORARY TABLE")
                        + " ON COMMIT PRESERVE ROWS");
        return unfit;
    }
}
