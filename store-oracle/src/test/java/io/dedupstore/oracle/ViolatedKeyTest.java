package io.dedupstore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.spi.TableName;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** E1: our key's violation, and nothing that looks like it. */
class ViolatedKeyTest {
    private final ViolatedKey key = new ViolatedKey(TableName.of("dedup_claim"));

    private static SQLException unique(String text) {
        return EmulatedFailure.of(1, text);
    }

    @ParameterizedTest
    @EnumSource(EmulatedFailure.DuplicateText.class)
    void e1_keyIsFoundInEveryReleaseAndLanguage(EmulatedFailure.DuplicateText text) {
        assertThat(key.isIn(text.of("APP.DEDUP_CLAIM_PK", "APP.DEDUP_CLAIM", "KEY_DIGEST")))
                .isTrue();
        assertThat(key.isIn(text.of("\"APP\".\"DEDUP_CLAIM_PK\"", "APP.DEDUP_CLAIM", "KEY_DIGEST")))
                .isTrue();
        assertThat(key.isIn(text.of("APP.ORDER_PK", "APP.ORDERS", "DEDUP_CLAIM_PK")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ORA-00001",
                "ORA-00001: unique constraint () violated",
                "ORA-00001: unique constraint (APP.DEDUP_CLAIM_PK2) violated",
                "ORA-00001: unique constraint (APP.XDEDUP_CLAIM_PK) violated",
                "ORA-00001: unique constraint (APP.dedup_claim_pk) violated",
                "ORA-00001: unique constraint (APP.SYS_C0010852) violated on table APP.T columns (DEDUP_CLAIM_PK)",
                "ORA-00001: unique constraint (APP.ORDER_PK) violated\nORA-03301: row with column values"
                        + " (ORDER_NO:'(APP.DEDUP_CLAIM_PK)') already exists",
                "ORA-00001: unique constraint APP.DEDUP_CLAIM_PK violated"
            })
    void e1_othersAreNot(String text) {
        assertThat(key.isIn(unique(text))).isFalse();
    }

    @Test
    void e1_otherCodesAreNotWhateverTheySay() {
        String text = "ORA-00001: unique constraint (APP.DEDUP_CLAIM_PK) violated";
        for (int code : new int[] {0, 1400, 2290, 2291, 20001}) {
            assertThat(key.isIn(new SQLException(text, "23000", code))).isFalse();
        }
        assertThat(key.isIn(new SQLException(null, "23000", 1))).isFalse();
    }

    @Test
    void e1_ownerCountsIfItIsConfigured() {
        ViolatedKey owned = new ViolatedKey(TableName.of("shop.claims"));
        assertThat(owned.isIn(unique("ORA-00001: unique constraint (SHOP.CLAIMS_PK) violated")))
                .isTrue();
        assertThat(owned.isIn(unique("ORA-00001: unique constraint (OTHER.CLAIMS_PK) violated")))
                .isFalse();
    }

    @Test
    void b17_wrappedAndBatchedDuplicatesAreFound() {
        SQLException duplicate = unique("ORA-00001: unique constraint (APP.DEDUP_CLAIM_PK) violated");
        BatchUpdateException batch = new BatchUpdateException("failed", "99999", 17081, new int[] {1});
        batch.setNextException(duplicate);
        assertThat(key.isIn(batch)).isTrue();
        assertThat(key.isIn(new SQLException("a pool's wrapper", duplicate))).isTrue();
        SQLException circle = new SQLException("a circle");
        circle.initCause(new SQLException("its other end", circle));
        assertThat(key.isIn(circle)).isFalse();
    }
}
