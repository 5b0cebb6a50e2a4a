package io.dedupstore.internal;

/** An attempt failed in a way that another may not; carries what to throw if there is none. */
final class TryAgain extends Exception {
    private static final long serialVersionUID = 1L;

    private final Throwable failure;

    TryAgain(Throwable failure) {
        super(null, null, false, false);
        this.failure = failure;
    }

    Throwable failure() {
        return failure;
    }
}
