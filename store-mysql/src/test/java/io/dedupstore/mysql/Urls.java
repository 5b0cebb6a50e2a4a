package io.dedupstore.mysql;

/** What tests add to a server's URL. */
final class Urls {
    private Urls() {}

    /** The URL that the module's documentation recommends: sessions have what the store needs. */
    static String recommended(String url) {
        String isolation = "transaction_isolation='READ-COMMITTED'";
        String lockWait = "innodb_lock_wait_timeout=5";
        return url.startsWith("jdbc:mariadb:")
                ? url + "&sessionVariables=" + isolation + "," + lockWait
                : url + "&useLocalSessionState=true&sessionVariables=" + isolation + "," + lockWait;
    }
}
