package io.dedupstore.brokers;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks that a request comes from the account's owner: HMAC of method, host, path and sorted parameters. */
final class CmqSignature {
    private static final String SHA256 = "HmacSHA256";
    private static final String SHA1 = "HmacSHA1";

    private final String secretId;
    private final byte[] secretKey;

    CmqSignature(String secretId, String secretKey) {
        this.secretId = secretId;
        this.secretKey = secretKey.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Checks.
     *
     * @param where method, host with port, path and question mark
     * @param parameters the request's, the signature among them
     */
    void check(String where, SortedMap<String, String> parameters) throws CmqError {
        if (!secretId.equals(parameters.get("SecretId"))) {
            throw new CmqError(CmqError.NOT_AUTHENTICATED, "(10270)secret id is not existed");
        }
        String algorithm = SHA256.equals(parameters.get("SignatureMethod")) ? SHA256 : SHA1;
        String expected = sign(algorithm, where + signed(parameters));
        if (!MessageDigest.isEqual(bytes(expected), bytes(parameters.getOrDefault("Signature", "")))) {
            throw new CmqError(CmqError.NOT_AUTHENTICATED, "(10030)authentication failed");
        }
    }

    private static String signed(SortedMap<String, String> parameters) {
        return parameters.entrySet().stream()
                .filter(parameter -> !parameter.getKey().equals("Signature"))
                .map(CmqSignature::signed)
                .collect(Collectors.joining("&"));
    }

    private static String signed(Map.Entry<String, String> parameter) {
        return parameter.getKey().replace('_', '.') + "=" + parameter.getValue();
    }

    private String sign(String algorithm, String text) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secretKey, algorithm));
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has both
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
