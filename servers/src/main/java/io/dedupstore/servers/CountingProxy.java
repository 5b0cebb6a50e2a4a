package io.dedupstore.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between driver and server and counts round trips: each time bytes go to the server after bytes came from it. Clear
 * text is not needed; the bytes are not looked at.
 */
public final class CountingProxy implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final AtomicInteger roundTrips = new AtomicInteger();

    /** Listens on a free port, in front of a port of this machine. */
    public CountingProxy(int target) throws IOException {
        this.target = target;
        ProxyThread.start("counting-proxy", this::accept);
    }

    /** The port to connect to. */
    public int port() {
        return door.getLocalPort();
    }

    /** The round trips since this was last asked. */
    public int take() {
        return roundTrips.getAndSet(0);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            AtomicBoolean answered = new AtomicBoolean(true);
            ProxyThread.start("counting-proxy", () -> pump(client, server, answered, true));
            ProxyThread.start("counting-proxy", () -> pump(server, client, answered, false));
        }
    }

    private void pump(Socket from, Socket to, AtomicBoolean answered, boolean asking) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[65536];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (asking && answered.getAndSet(false)) {
                    roundTrips.incrementAndGet();
                } else if (!asking) {
                    answered.set(true);
                }
                out.write(buffer, 0, n);
            }
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
