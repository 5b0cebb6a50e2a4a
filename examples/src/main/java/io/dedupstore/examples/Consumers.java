package io.dedupstore.examples;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The consumer processes of one demo run: one at work, begun anew after it was killed, and at times a second one. */
final class Consumers implements AutoCloseable {
    private final String url;
    private @Nullable ConsumerProcess first;

    Consumers(String url) {
        this.url = url;
    }

    ConsumerProcess first() throws IOException {
        if (first == null) {
            first = ConsumerProcess.start(url);
        }
        return first;
    }

    /** For the caller to close. */
    ConsumerProcess second() throws IOException {
        return ConsumerProcess.start(url);
    }

    void killFirst() throws IOException, InterruptedException {
        first().kill();
        first = null;
    }

    @Override
    public void close() throws IOException {
        if (first != null) {
            first.close();
        }
    }
}
