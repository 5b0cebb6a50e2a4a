package io.dedupstore.examples.drill;

import io.dedupstore.examples.ChildJvm;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The source's end of a consumer process. One thread hands deliveries out, as many as the process has threads; another
 * takes the answers. The process ends with this one: it reads the end of its standard input.
 */
final class ConsumerJvm {
    private static final int PATIENCE_S = 30;

    private final Source source;
    private final Process process;
    private final Semaphore window;
    private final Runnable whenGone;
    private volatile boolean ending;

    private ConsumerJvm(Source source, Start start, Runnable whenGone, Process process) {
        this.source = source;
        this.process = process;
        this.window = new Semaphore(start.threads());
        this.whenGone = whenGone;
    }

    /** Starts a process; what it had when it is gone, and did not answer, the source delivers again. */
    static ConsumerJvm start(Source source, Start start, Runnable whenGone) throws IOException {
        Process process = new ProcessBuilder(
                        ChildJvm.command(DrillConsumer.class, "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ConsumerJvm consumer = new ConsumerJvm(source, start, whenGone, process);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        Thread reader = new Thread(() -> consumer.read(start, out), "drill-answers");
        reader.setDaemon(true);
        reader.start();
        return consumer;
    }

    private void read(Start start, DataOutputStream out) {
        Thread feeder = new Thread(() -> feed(out), "drill-deliveries");
        feeder.setDaemon(true);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            start.writeTo(out);
            in.readBoolean(); // it is ready
            feeder.start();
            while (true) {
                source.answered(Reply.readFrom(in));
                window.release();
            }
        } catch (IOException e) {
            feeder.interrupt();
            awaitExit();
            source.gone(this);
            if (!ending) {
                whenGone.run();
            }
        }
    }

    private void feed(DataOutputStream out) {
        try (out) {
            while (!ending) {
                if (!window.tryAcquire(50, TimeUnit.MILLISECONDS)) {
                    continue;
                }
                Handed delivery = source.take(this);
                if (delivery == null) {
                    window.release();
                } else {
                    delivery.writeTo(out);
                }
            }
        } catch (IOException e) {
            return; // it is gone: the reader sees it too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGKILL, as the out-of-memory killer would end it. */
    void kill() {
        process.destroyForcibly();
    }

    /** Lets it finish. */
    void end() {
        ending = true;
    }

    void awaitExit() {
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
