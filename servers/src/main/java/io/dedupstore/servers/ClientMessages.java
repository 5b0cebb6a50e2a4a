package io.dedupstore.servers;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/** Follows what one client sends, message by message, just far enough to know a commit. Used by one thread. */
public interface ClientMessages {
    /**
     * Reads the next message.
     *
     * @param in what the client sends
     * @return the message, as it is to be passed on
     * @throws EOFException if the client has ended
     * @throws IOException if it cannot be read
     */
    byte[] next(DataInputStream in) throws IOException;

    /**
     * Says whether the message that was read last makes the server commit.
     *
     * @param message that message
     * @return whether it does
     */
    boolean isCommit(byte[] message);
}
