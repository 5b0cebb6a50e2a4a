package io.dedupstore.brokers;

/** What the service refuses, with the published code; the number in the text is the published "module" code. */
final class CmqError extends Exception {
    static final int BAD_REQUEST = 4000;
    static final int NOT_AUTHENTICATED = 4100;
    static final int INVALID_HANDLE = 4430;
    static final int NO_QUEUE = 4440;
    static final int SOME_NOT_DELETED = 6010;
    static final int NONE_DELETED = 6020;
    static final int NO_MESSAGE = 7000;

    private static final long serialVersionUID = 1L;

    private final int code;

    CmqError(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }
}
