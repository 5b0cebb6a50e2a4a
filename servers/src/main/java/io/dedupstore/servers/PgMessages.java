package io.dedupstore.servers;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * PostgreSQL's protocol 3, in clear text. A commit is a simple query, or an Execute of a portal whose statement is one:
 * the driver prepares COMMIT once under a name, so that most commits do not carry the word.
 */
public final class PgMessages implements ClientMessages {
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int LENGTH = 4;

    private final Set<String> commits = new HashSet<>();
    private boolean starting = true;
    private boolean commitIsBound;

    /** Begins with a fresh connection. */
    public PgMessages() {}

    @Override
    public byte[] next(DataInputStream in) throws IOException {
        int head = starting ? 0 : 1; // the first message has no type
        byte[] type = in.readNBytes(head);
        int length = in.readInt();
        ByteBuffer message = ByteBuffer.allocate(head + length).put(type).putInt(length);
        in.readFully(message.array(), head + LENGTH, length - LENGTH);
        if (starting) {
            int code = message.getInt(LENGTH);
            starting = code == SSL_REQUEST || code == GSS_REQUEST;
        }
        return message.array();
    }

    @Override
    public boolean isCommit(byte[] message) {
        Strings strings = new Strings(message);
        switch (message[0]) {
            case 'Q' -> {
                return isCommit(strings.next());
            }
            case 'P' -> {
                String statement = strings.next();
                if (isCommit(strings.next())) {
                    commits.add(statement);
                } else {
                    commits.remove(statement);
                }
                return false;
            }
            case 'B' -> {
                strings.next(); // the portal
                commitIsBound = commits.contains(strings.next());
                return false;
            }
            case 'E' -> {
                return commitIsBound;
            }
            default -> {
                return false;
            }
        }
    }

    private static boolean isCommit(String sql) {
        return sql.strip().toUpperCase(Locale.ROOT).equals("COMMIT");
    }

    /** The strings of a message, each ended by a zero byte, from behind type and length on. */
    private static final class Strings {
        private final byte[] message;
        private int at = 1 + LENGTH;

        Strings(byte[] message) {
            this.message = message;
        }

        String next() {
            int end = at;
            while (end < message.length && message[end] != 0) {
                end++;
            }
            String text = new String(message, Math.min(at, end), Math.max(0, end - at), StandardCharsets.UTF_8);
            at = end + 1;
            return text;
        }
    }
}
