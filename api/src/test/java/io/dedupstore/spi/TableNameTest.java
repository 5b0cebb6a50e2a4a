package io.dedupstore.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.Disposition;
import io.dedupstore.StoreConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S3; the names that every database must refuse are in the contract kit. */
class TableNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "_",
                "_1",
                "A",
                "Dedup_Claim9",
                "t23456789012345678901234567890123456789012345678901234567890123"
            })
    void s3_identifiersAreTakenAsTheyAre(String name) {
        assertThat(TableName.of(name)).isEqualTo(new TableName(null, name)).hasToString(name);
        assertThat(TableName.of("s." + name))
                .isEqualTo(new TableName("s", name))
                .hasToString("s." + name);
        assertThat(TableName.of(name + ".t")).isEqualTo(new TableName(name, "t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s.",
                ".t",
                ".",
                "..",
                "s..t",
                "s.t.u",
                "s.1t",
                "1s.t",
                "s.t ",
                " s.t",
                "s .t",
                "s.t;",
                "s\u0000.t",
                "\u0660a",
                "\u0131",
                "\uff41",
                "a\u0301",
                "a$",
                "a#",
                "t234567890123456789012345678901234567890123456789012345678901234",
                "t234567890123456789012345678901234567890123456789012345678901234.t"
            })
    void s3_anythingElseIsRefusedAndNotShown(String name) {
        assertThatThrownBy(() -> TableName.of(name))
                .isInstanceOfSatisfying(
                        StoreConfigurationException.class,
                        refusal -> assertThat(refusal.disposition()).isEqualTo(Disposition.RETRY))
                .hasMessageNotContaining(name.length() > 3 ? name : "\u0000");
    }

    @Test
    void s3_theConstructorChecksToo() {
        assertThatThrownBy(() -> new TableName("s", "t; DROP TABLE x")).isInstanceOf(StoreConfigurationException.class);
        assertThatThrownBy(() -> new TableName("s.t", "t")).isInstanceOf(StoreConfigurationException.class);
        assertThatThrownBy(() -> new TableName("", "t")).isInstanceOf(StoreConfigurationException.class);
    }

    @Test
    void s3_theDefaultIsAName() {
        assertThat(TableName.of(TableName.DEFAULT)).hasToString("dedup_claim");
    }
}
