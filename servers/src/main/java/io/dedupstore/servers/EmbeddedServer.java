package io.dedupstore.servers;

/** A database server of this process, which ends with it at the latest. */
public interface EmbeddedServer extends AutoCloseable {
    /** {@return the URL of a database on it, user included} */
    String url();

    /** {@return its port} */
    int port();

    /** Ends the server as a power switch would; its data stay. */
    void kill();

    /** Starts a killed server again on the same data and port, and waits until it answers. */
    void restart();

    /** Ends the server and deletes its data. */
    @Override
    void close();
}
