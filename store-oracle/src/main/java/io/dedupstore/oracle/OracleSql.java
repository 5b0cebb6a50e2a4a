package io.dedupstore.oracle;

import io.dedupstore.spi.TableName;
import java.util.List;
import java.util.Locale;

/**
 * Every statement that this module sends in its daily work, for one table. Their texts are constant, so that the driver's
 * statement cache and the server's shared pool work. What {@link OracleTable} asks the catalogue is there.
 *
 * <p>The name stands quoted and in upper case, which is what it means without quotes: reserved words, and names that begin
 * with an underscore, pass {@link TableName}'s check too.
 */
final class OracleSql {
    private static final String COLUMNS =
            " (key_digest, tenant, consumer, event_id, hash_scheme, payload_hash, claim_id) VALUES (?, ?, ?, ?, ?, ?, ?)";

    private final TableName name;
    private final String table;
    private final String insert;
    private final String lockAndInsert;
    private final String select;
    private final String guard;
    private final String purge;

    OracleSql(TableName name) {
        this.name = name;
        this.table = schema() + quoted(name.name());
        this.insert = "INSERT INTO " + table + COLUMNS;
        this.lockAndInsert = "DECLARE answer PLS_INTEGER; BEGIN answer := SYS.DBMS_LOCK.REQUEST(id => ?,"
                + " lockmode => SYS.DBMS_LOCK.X_MODE, timeout => ?, release_on_commit => TRUE);"
                + " IF answer IN (0, 4) THEN " + insert + "; END IF; ? := answer; END;";
        this.select = "SELECT hash_scheme, payload_hash, claim_id, claimed_at FROM " + table + " WHERE key_digest = ?";
        this.guard =
                "SELECT DBMS_TRANSACTION.LOCAL_TRANSACTION_ID FROM " + table + " WHERE key_digest = ? AND claim_id = ?";
        this.purge = "DELETE FROM " + table + " WHERE claimed_at < SYS_EXTRACT_UTC(SYSTIMESTAMP)"
                + " - NUMTODSINTERVAL(?, 'SECOND') AND ROWNUM <= ?";
    }

    /** The schema and its dot, or nothing. */
    private String schema() {
        return name.schema() == null ? "" : quoted(name.schema()) + '.';
    }

    private static String quoted(String part) {
        return '"' + upper(part) + '"';
    }

    static String upper(String part) {
        return part.toUpperCase(Locale.ROOT);
    }

    /** What the key is called, which is how its violation is told from that of any other (E1). */
    static String keyName(TableName table) {
        return upper(table.name()) + "_PK";
    }

    /** The plain claim: its parameters are the seven columns. */
    String insert() {
        return insert;
    }

    /**
     * The claim under a lock of its own: the lock's id, the wait in seconds, the seven columns, and out comes the lock's
     * answer. A procedure of one round trip; if the insert fails, the whole block's rows are undone and the lock stays.
     */
    String lockAndInsert() {
        return lockAndInsert;
    }

    /** The claim that stands there, by its key's digest. */
    String select() {
        return select;
    }

    /** The open transaction, null if there is none, where the claim with this digest and id is visible. */
    String guard() {
        return guard;
    }

    /** One chunk of the purge: a retention in seconds, and a number of rows. */
    String purge() {
        return purge;
    }

    List<String> all() {
        return List.of(insert, lockAndInsert, select, guard, purge);
    }

    /** The schema's script, for this table. */
    String in(String script) {
        String template = TableName.DEFAULT;
        return script.replace("INDEX " + template + "_claimed_at", "INDEX " + schema() + quoted(name.name() + "_AT"))
                .replace("CONSTRAINT " + template + "_pk", "CONSTRAINT \"" + keyName(name) + '"')
                .replace("TABLE " + template + ' ', "TABLE " + table + ' ')
                .replace("ON " + template + ' ', "ON " + table + ' ');
    }
}
