package io.dedupstore.explorer;

/** What happens to one step of a consumer. */
enum Strike {
    /** Nothing. */
    NONE,
    /** The connection is lost before the step reaches the server, which rolls back at once. */
    LOST_BEFORE,
    /** The connection is lost and the server notices later: meanwhile the old transaction holds what it has. */
    LOST_UNNOTICED,
    /** The step is carried out and its answer lost; an open transaction is rolled back. */
    LOST_AFTER,
    /** The server still runs the commit when the connection is lost; it may yet end either way. */
    LEFT_RUNNING,
    /** The consumer's process ends before the step. */
    CRASH_BEFORE,
    /** The consumer's process ends after the step. */
    CRASH_AFTER,
    /** The consumer's process ends while the server runs its commit, which may yet end either way. */
    CRASH_RUNNING,
    /** The wait for another holder reaches its bound. */
    WAITED_TOO_LONG;

    boolean crashes() {
        return this == CRASH_BEFORE || this == CRASH_AFTER || this == CRASH_RUNNING;
    }

    boolean isCarriedOut() {
        return this == NONE || this == LOST_AFTER || this == CRASH_AFTER;
    }

    boolean leavesTransaction() {
        return this == LEFT_RUNNING || this == CRASH_RUNNING || this == LOST_UNNOTICED;
    }
}
