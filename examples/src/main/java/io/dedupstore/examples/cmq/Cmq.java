package io.dedupstore.examples.cmq;

import com.qcloud.cmq.Account;
import com.qcloud.cmq.CMQServerException;
import com.qcloud.cmq.entity.CmqConfig;
import java.io.IOException;

/** How the SDK is set up, and what its failures may be quoted with. */
public final class Cmq {
    /** Gives the id of the account's key; not an argument, for every user of the machine can see arguments. */
    public static final String SECRET_ID = "CMQ_SECRET_ID";

    /** Gives the account's key. */
    public static final String SECRET_KEY = "CMQ_SECRET_KEY";

    private static final int TIMEOUT_MS = 10_000;

    /** Longer than the longest long poll, 30 s, else its answer is lost and the message waits for its timeout. */
    private static final int RECEIVE_TIMEOUT_MS = 40_000;

    private Cmq() {}

    /**
     * Connects, or rather prepares to: the SDK keeps no connection of its own. Its HTTP client is one for the whole JVM, with
     * the timeouts of the first configuration that is used.
     *
     * @param endpoint {@code http://} or {@code https://}, host and port
     * @param secretId of the account's key
     * @param secretKey the account's key
     * @return the account
     */
    public static Account connect(String endpoint, String secretId, String secretKey) {
        CmqConfig config = new CmqConfig();
        config.setEndpoint(endpoint);
        config.setSecretId(secretId);
        config.setSecretKey(secretKey);
        config.setSignMethod("sha256");
        config.setConnectTimeout(TIMEOUT_MS);
        config.setReadTimeout(TIMEOUT_MS);
        config.setReceiveTimeout(RECEIVE_TIMEOUT_MS);
        // it logs what takes more than 1.5 s with the whole answer: after a long poll, a message
        config.setPrintSlow(false);
        return new Account(config);
    }

    /** Whether the server has said just that there is no message now. The SDK gives its code in this text only. */
    static boolean isEmpty(Exception failure) {
        return failure instanceof CMQServerException && failure.toString().startsWith("code:7000,");
    }

    /** Failures in words that are safe to log: the SDK's own, when it cannot read an answer, quote all of it. */
    static String describe(Exception failure) {
        boolean safe = failure instanceof CMQServerException || failure instanceof IOException;
        return safe ? failure.toString() : failure.getClass().getName();
    }
}
