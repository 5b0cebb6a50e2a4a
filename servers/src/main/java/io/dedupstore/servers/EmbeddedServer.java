package io.dedupstore.servers;

/** A database server of this process, which ends with it at the latest. */
public interface EmbeddedServer extends AutoCloseable {
    /** {@return the URL of a database on it, user included} */
    String url();

    /** Ends the server and deletes its data. */
    @Override
    void close();
}
