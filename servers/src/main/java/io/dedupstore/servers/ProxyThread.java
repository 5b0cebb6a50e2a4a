package io.dedupstore.servers;

import java.io.IOException;

/** A thread of a proxy: it ends with its connection or its proxy. */
final class ProxyThread {
    interface Task {
        void run() throws IOException;
    }

    private ProxyThread() {}

    static void start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // the connection or the proxy was closed: the thread's end
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
