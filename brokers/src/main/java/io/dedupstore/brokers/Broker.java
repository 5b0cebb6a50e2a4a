package io.dedupstore.brokers;

/** A message broker of this process, which ends with it at the latest. It listens on the loopback interface only. */
public interface Broker extends AutoCloseable {
    /** {@return where clients find it} */
    String address();

    /** Ends the broker as a power switch would; its messages stay. */
    void kill();

    /** Starts a killed broker again on the same messages and port, and waits until it answers. */
    void restart();

    /** Ends the broker and deletes its messages. */
    @Override
    void close();
}
