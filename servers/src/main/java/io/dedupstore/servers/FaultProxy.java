package io.dedupstore.servers;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bad network between clients and a server, on the loopback interface: it cuts connections at their commits, or wherever
 * they are, refuses new ones, and delays. Clear text is needed. Safe for any number of threads.
 */
public final class FaultProxy implements AutoCloseable {
    private final ServerSocket door;
    private final int target;
    private final Supplier<ClientMessages> protocol;
    private final AtomicReference<@Nullable CommitCut> planned = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final Semaphore late = new Semaphore(0);
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;
    private volatile long delayNanos;

    /**
     * Opens its door, on a free port.
     *
     * @param target the server's port
     * @param protocol what follows a fresh connection
     * @throws IOException if there is no port
     */
    public FaultProxy(int target, Supplier<ClientMessages> protocol) throws IOException {
        this.door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        this.target = target;
        this.protocol = protocol;
        ProxyThread.start("fault-proxy", this::accept);
    }

    /** {@return its port} */
    public int port() {
        return door.getLocalPort();
    }

    /**
     * Cuts the next commit of any connection.
     *
     * @param how in which way
     */
    public void cutNextCommit(CommitCut how) {
        planned.set(how);
    }

    /** Takes back {@link #cutNextCommit} if no commit has come since. */
    public void cutNoCommit() {
        planned.set(null);
    }

    /** Lets a commit through that is kept back as {@link CommitCut#REQUEST_LATE}. */
    public void letCommitThrough() {
        late.release();
    }

    /** {@return how many commits were cut} */
    public int cuts() {
        return cuts.get();
    }

    /**
     * Resets new connections as they come, or lets them in again.
     *
     * @param whether which
     */
    public void refuse(boolean whether) {
        refusing = whether;
    }

    /**
     * Delays every message and every answer from now on.
     *
     * @param by by how much; zero for not
     */
    public void delay(Duration by) {
        delayNanos = by.toNanos();
    }

    /** {@return how many connections were reset: all} */
    public int resetAll() {
        int reset = 0;
        for (Session session : sessions) {
            session.reset();
            reset++;
        }
        return reset;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            if (refusing) {
                reset(client);
                continue;
            }
            try {
                new Session(client).begin();
            } catch (IOException e) {
                reset(client); // the server is away: so it looks to the client
            }
        }
    }

    private void pass(OutputStream out, byte[] bytes, int length) throws IOException {
        long delay = delayNanos;
        if (delay > 0) {
            LockSupport.parkNanos(delay);
        }
        out.write(bytes, 0, length);
    }

    /** One connection. */
    private final class Session {
        private final Socket client;
        private final Socket server;
        private volatile @Nullable CommitCut cut;

        Session(Socket client) throws IOException {
            this.client = client;
            this.server = new Socket(InetAddress.getLoopbackAddress(), target);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void begin() {
            sessions.add(this);
            ProxyThread.start("fault-proxy", this::ask);
            ProxyThread.start("fault-proxy", this::answer);
        }

        /** From the client to the server. */
        private void ask() throws IOException {
            ClientMessages messages = protocol.get();
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()))) {
                OutputStream out = server.getOutputStream();
                while (true) {
                    byte[] message = messages.next(in);
                    if (messages.isCommit(message)) {
                        cut = planned.getAndSet(null);
                        if (cut == CommitCut.REQUEST_LOST) {
                            cuts.incrementAndGet();
                            return;
                        }
                        if (cut == CommitCut.REQUEST_LATE) {
                            cuts.incrementAndGet();
                            FaultProxy.reset(client);
                            late.acquireUninterruptibly();
                        }
                    }
                    pass(out, message, message.length);
                    if (cut == CommitCut.LEFT_RUNNING && in.available() == 0) {
                        cuts.incrementAndGet();
                        FaultProxy.reset(client);
                        return;
                    }
                }
            } finally {
                if (cut == null || cut == CommitCut.REQUEST_LOST) {
                    reset();
                }
            }
        }

        /** From the server to the client. Nothing but the commit's answer is outstanding when a commit was cut. */
        private void answer() throws IOException {
            try {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                byte[] buffer = new byte[16384];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (cut == null) {
                        pass(out, buffer, n);
                    } else if (cut == CommitCut.REPLY_HANGS) {
                        cuts.incrementAndGet();
                        server.close();
                        return;
                    } else {
                        cuts.addAndGet(cut == CommitCut.REPLY_LOST ? 1 : 0);
                        return;
                    }
                }
            } finally {
                if (cut == CommitCut.REPLY_HANGS) {
                    server.close(); // and the client waits until it gives up by itself
                } else {
                    reset();
                }
            }
        }

        private void reset() {
            sessions.remove(this);
            FaultProxy.reset(client);
            FaultProxy.reset(server);
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // it is closed already
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        resetAll();
    }
}
