package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.EventKey;
import io.dedupstore.spi.TableName;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names, and the key's digest. */
class OracleSqlTest {
    @Test
    void c4_digestIsThePublishedOne() {
        // what the package's page tells an operator to ask for: SHA-256 of the parts with CHR(0) between
        assertThat(HexFormat.of().formatHex(KeyDigest.of(EventKey.of("billing", "payment-8731"))))
                .isEqualTo("437fcc110b63417e40d65bb76ce3ea0c5ac30dd13d942633fee9e69085cd39ec");
    }

    @Test
    void c4_partsDoNotRunIntoOneAnother() {
        Set<String> digests = new HashSet<>();
        List<EventKey> keys = List.of(
                new EventKey("a", "b", "c"),
                new EventKey("ab", "c", "c"),
                new EventKey("a", "bc", "c"),
                new EventKey("a", "b", "cc"),
                new EventKey("a", "b", "c "),
                new EventKey("A", "b", "c"),
                new EventKey("b", "a", "c"));
        keys.forEach(key -> digests.add(HexFormat.of().formatHex(KeyDigest.of(key))));
        assertThat(digests).hasSameSizeAs(keys);
    }

    @Test
    void s3_namesAreQuotedInUpperCase() {
        OracleSql sql = new OracleSql(TableName.of("shop.order"));
        assertThat(sql.all()).allSatisfy(text -> assertThat(text).contains("\"SHOP\".\"ORDER\""));
        assertThat(new OracleSql(TableName.of("_claims")).insert()).startsWith("INSERT INTO \"_CLAIMS\" (");
    }

    @Test
    void s1_scriptNamesTableKeyAndIndex() {
        String ddl = OracleDialect.plain(TableName.of("shop.order")).ddl();
        assertThat(ddl)
                .contains("CREATE TABLE \"SHOP\".\"ORDER\" (")
                .contains("CONSTRAINT \"ORDER_PK\" PRIMARY KEY (key_digest)")
                .contains("CREATE INDEX \"SHOP\".\"ORDER_AT\" ON \"SHOP\".\"ORDER\" (claimed_at)")
                .doesNotContain("TABLE dedup_claim");
    }
}
