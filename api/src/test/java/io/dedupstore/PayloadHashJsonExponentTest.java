package io.dedupstore;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadHashJsonExponentTest {
    @ParameterizedTest
    @ValueSource(strings = {"1e-99999999999", "0e99999999999", "[1e-2147483648]", "1e99999999999"})
    void anExponentThatNoBigDecimalHoldsIsRefused(String json) {
        assertThatThrownBy(() -> PayloadHash.ofJson(json))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("line ");
    }
}
