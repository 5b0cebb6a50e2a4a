package io.dedupstore.servers;

/** What a {@link FaultProxy} does to a commit. */
public enum CommitCut {
    /** The commit does not reach the server; both sides are reset. */
    REQUEST_LOST,
    /** The server commits and answers; the client is reset instead of getting a byte of the answer. */
    REPLY_LOST,
    /** The server commits and answers; the client hears nothing, and its connection stays open. */
    REPLY_HANGS,
    /** The client is reset when the server has the commit; the server's side stays open until it has answered. */
    LEFT_RUNNING,
    /** The client is reset; the commit reaches the server only when {@link FaultProxy#letCommitThrough} is called. */
    REQUEST_LATE
}
