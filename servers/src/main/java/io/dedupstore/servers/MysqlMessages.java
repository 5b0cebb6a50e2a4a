package io.dedupstore.servers;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * MySQL's and MariaDB's protocol, in clear text and not compressed. Both drivers commit by a query's text. A command begins
 * a conversation, so its packet has the number 0; those of the login, which the server begins, do not.
 */
public final class MysqlMessages implements ClientMessages {
    private static final int HEAD = 4;
    private static final int NUMBER = 3;
    private static final int QUERY = 3;

    /** Begins with a fresh connection. */
    public MysqlMessages() {}

    @Override
    public byte[] next(DataInputStream in) throws IOException {
        byte[] head = in.readNBytes(HEAD);
        if (head.length < HEAD) {
            throw new EOFException();
        }
        int length = (head[0] & 0xff) | (head[1] & 0xff) << 8 | (head[2] & 0xff) << 16;
        byte[] packet = new byte[HEAD + length];
        System.arraycopy(head, 0, packet, 0, HEAD);
        in.readFully(packet, HEAD, length);
        return packet;
    }

    @Override
    public boolean isCommit(byte[] packet) {
        if (packet.length <= HEAD || packet[NUMBER] != 0 || packet[HEAD] != QUERY) {
            return false;
        }
        int at = HEAD + 1;
        if (packet.length > at + 1 && packet[at] == 0 && packet[at + 1] == 1) {
            at += 2; // no attributes, of which there is one set: sent to servers that know attributes of queries
        }
        String sql = new String(packet, at, packet.length - at, StandardCharsets.UTF_8);
        return sql.strip().toUpperCase(Locale.ROOT).equals("COMMIT");
    }
}
