package io.dedupstore.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A socket on the loopback interface that answers a connecting client in one wrong way. */
final class FailingListener implements AutoCloseable {
    /** What happens to a client. Numbers are the codes of a listener's refusal. */
    enum Way {
        NOBODY_LISTENS(0),
        RESET(0),
        END_OF_STREAM(0),
        SILENCE(0),
        GARBAGE(0),
        UNKNOWN_SERVICE(12514),
        UNKNOWN_SID(12505),
        NO_HANDLER(12516),
        NO_PROCESS(12518),
        NO_HANDLER_IN_STATE(12520),
        LISTENER_STOPPED(12528);

        private final int refusal;

        Way(int refusal) {
            this.refusal = refusal;
        }
    }

    private static final byte REFUSE = 4;

    private final Way way;
    private final ServerSocket server;
    private final List<Socket> silent = new ArrayList<>();

    FailingListener(Way way) throws IOException {
        this.way = way;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        if (way == Way.NOBODY_LISTENS) {
            server.close();
            return;
        }
        Thread thread = new Thread(this::serve, "failing listener");
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "jdbc:oracle:thin:@//127.0.0.1:" + server.getLocalPort() + "/nothing";
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                answer(server.accept());
            } catch (IOException gone) {
                // the client, or with the test the server: the loop's condition tells
            }
        }
    }

    private void answer(Socket client) throws IOException {
        switch (way) {
            case RESET -> {
                client.setSoLinger(true, 0);
                client.close();
            }
            case END_OF_STREAM -> {
                awaitRequest(client);
                client.close();
            }
            case SILENCE -> silent.add(client);
            case GARBAGE -> {
                awaitRequest(client);
                client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                client.close();
            }
            default -> {
                awaitRequest(client);
                client.getOutputStream().write(refusal(way.refusal));
                client.close();
            }
        }
    }

    private static void awaitRequest(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        byte[] some = new byte[4096];
        if (in.read(some) < 0) {
            throw new IOException("The client said nothing");
        }
    }

    /** A packet of Oracle Net by which a listener refuses: a header of eight bytes, two reasons, a length, a text. */
    private static byte[] refusal(int code) {
        byte[] text = ("(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR=" + code + ")(ERROR_STACK=(ERROR=(CODE=" + code
                        + ")(EMFI=4))))")
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(12 + text.length)
                .putShort((short) (12 + text.length))
                .putShort((short) 0)
                .put(REFUSE)
                .put((byte) 0)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : silent) {
            client.close();
        }
    }
}
