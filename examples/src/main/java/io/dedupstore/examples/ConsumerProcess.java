package io.dedupstore.examples;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The source's end of a consumer process. The process dies with this one: it reads the end of its standard input. Not
 * safe for several threads.
 */
final class ConsumerProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private final Process process;
    private final DataOutputStream toConsumer;
    private final BlockingQueue<Optional<Answer>> answers = new LinkedBlockingQueue<>();

    private ConsumerProcess(Process process) {
        this.process = process;
        this.toConsumer = new DataOutputStream(process.getOutputStream());
        Thread reader = new Thread(this::read, "demo-consumer-answers");
        reader.setDaemon(true);
        reader.start();
    }

    static ConsumerProcess start(String url) throws IOException {
        Process process = new ProcessBuilder(ChildJvm.command(DemoConsumer.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ConsumerProcess consumer = new ConsumerProcess(process);
        consumer.toConsumer.writeUTF(url);
        return consumer;
    }

    private void read() {
        try (DataInputStream fromConsumer = new DataInputStream(process.getInputStream())) {
            while (true) {
                answers.add(Optional.of(Answer.readFrom(fromConsumer)));
            }
        } catch (IOException e) {
            answers.add(Optional.empty());
        }
    }

    /** Hands a delivery out; the answer may be that the consumer stands at the chosen point. */
    Answer deliver(Order order) throws IOException, InterruptedException {
        order.writeTo(toConsumer);
        return await();
    }

    /** Lets a consumer go on that stands at a point. */
    Answer goOn() throws IOException, InterruptedException {
        Answer answer;
        do {
            toConsumer.writeBoolean(true);
            toConsumer.flush();
            answer = await();
        } while (answer.atThePoint()); // the store may have run the work again
        return answer;
    }

    private Answer await() throws IOException, InterruptedException {
        Optional<Answer> answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (answer == null) {
            throw new IOException("the consumer process did not answer within " + PATIENCE_SECONDS + " s.");
        }
        return answer.orElseThrow(() -> new IOException("the consumer process ended by itself."));
    }

    /** SIGKILL, as the out-of-memory killer or a pulled plug would end it; returns when it is gone. */
    void kill() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IOException("the consumer process ended before it was killed.");
        }
        process.destroyForcibly();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the consumer process could not be killed.");
        }
    }

    @Override
    public void close() throws IOException {
        try (toConsumer) {
            toConsumer.flush();
        } finally {
            endWithin(PATIENCE_SECONDS);
        }
    }

    private void endWithin(int seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
