package io.dedupstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadHashTest {
    /** FIPS 180-2, appendix B. */
    @ParameterizedTest
    @CsvSource({
        "'', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq,"
                + " 248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    })
    void rawBytesAreHashedBySha256(String text, String digest) {
        PayloadHash hash = PayloadHash.ofBytes(text.getBytes(UTF_8));
        assertThat(hash).hasToString("sha256:" + digest);
        assertThat(hash.scheme()).isEqualTo("sha256");
        assertThat(hash.digest()).isEqualTo(HexFormat.of().parseHex(digest));
    }

    @Test
    void aLongPayloadIsHashedWhole() {
        assertThat(PayloadHash.ofText("a".repeat(1_000_000)))
                .hasToString("sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "\u00e9", "e\u0301", "\ud83d\ude00", "a\u0000b", "\ufeffa", "\r\n"})
    void aTextIsHashedAsItsUtf8Bytes(String text) {
        assertThat(PayloadHash.ofText(text)).isEqualTo(PayloadHash.ofBytes(text.getBytes(UTF_8)));
    }

    @Test
    void c4_textsAreNotNormalised() {
        assertThat(PayloadHash.ofText("\u00e9")).isNotEqualTo(PayloadHash.ofText("e\u0301"));
        assertThat(PayloadHash.ofText("a")).isNotEqualTo(PayloadHash.ofText("a "));
    }

    @ParameterizedTest
    @CsvSource({"\ud83d, 0", "ab\ud83d, 2", "\ud83d\ude00\ude00x, 2", "a\ude00\ud83d, 1", "\ud83d\ud83d\ude00, 0"})
    void c5_halfASurrogatePairIsRefusedWithItsIndex(String text, int index) {
        assertThatThrownBy(() -> PayloadHash.ofText(text))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining("index " + index + ";");
    }

    @Test
    void aHashMadeElsewhereIsTakenAsItIs() {
        PayloadHash hash = PayloadHash.of("team.v2:a_b-c", new byte[16]);
        assertThat(hash).hasToString("team.v2:a_b-c:" + "00".repeat(16));
        assertThat(PayloadHash.of("s".repeat(32), new byte[64]).digest()).hasSize(64);
        PayloadHash raw = PayloadHash.ofText("abc");
        assertThat(PayloadHash.of("sha256", raw.digest())).isEqualTo(raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SHA256", "sha 256", "sha/256", "s\u00e4", "s\n", "s123456789012345678901234567890ab"})
    void aSchemeOfAnotherFormIsRefused(String scheme) {
        assertThatThrownBy(() -> PayloadHash.of(scheme, new byte[32])).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 65, 1000})
    void aDigestOfAnotherLengthIsRefused(int length) {
        assertThatThrownBy(() -> PayloadHash.of("sha256", new byte[length]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(length));
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> PayloadHash.ofBytes(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> PayloadHash.ofText(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> PayloadHash.ofJson(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void neitherTheArrayGivenNorTheOneReturnedChangesTheHash() {
        byte[] digest = new byte[32];
        PayloadHash hash = PayloadHash.of("x", digest);
        digest[0] = 1;
        hash.digest()[1] = 1;
        assertThat(hash).isEqualTo(PayloadHash.of("x", new byte[32]));
    }

    @Test
    void c6_equalityIsOfSchemeAndDigest() {
        PayloadHash hash = PayloadHash.ofText("abc");
        assertThat(hash)
                .isEqualTo(PayloadHash.ofBytes(new byte[] {'a', 'b', 'c'}))
                .hasSameHashCodeAs(PayloadHash.ofBytes(new byte[] {'a', 'b', 'c'}))
                .isNotEqualTo(PayloadHash.of("sha256-jcs", hash.digest()))
                .isNotEqualTo(PayloadHash.ofText("abd"))
                .isNotEqualTo("sha256")
                .isNotEqualTo(null);
        for (int i = 0; i < 32; i++) {
            byte[] other = hash.digest();
            other[i] ^= 1;
            assertThat(PayloadHash.of("sha256", other)).isNotEqualTo(hash);
        }
    }
}
