package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.dedupstore.brokers.RabbitServer;
import io.dedupstore.examples.credit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the tests' RabbitMQ comes from: {@code -Ddedup.rabbitmq.uri}, else a container engine, else Debian's package. Tests
 * that kill the broker need the package. If it is not to be had, that is reported, and fails the build if {@code
 * -Ddedup.require} names {@code rabbitmq}.
 */
final class RabbitBrokers {
    private static final String IMAGE = "rabbitmq:4.1";

    private static String uri;

    private RabbitBrokers() {}

    /** A broker for tests that do not kill it; one for this JVM. */
    static synchronized String uri() {
        if (uri == null) {
            uri = find();
        }
        return uri;
    }

    private static String find() {
        String given = System.getProperty("dedup.rabbitmq.uri");
        if (given != null) {
            return given;
        }
        return containerEngine() ? container() : start().address();
    }

    /** A server of our own, which can be killed. */
    static RabbitServer start(String... settings) {
        if (!RabbitServer.isInstalled()) {
            throw absent();
        }
        return RabbitServer.start(settings);
    }

    private static RuntimeException absent() {
        String said = "No rabbitmq to test with";
        if (Arrays.asList(System.getProperty("dedup.require", "").split(",")).contains("rabbitmq")) {
            throw new AssertionError(said + ", but -Ddedup.require names it");
        }
        System.err.println("[dedup-store-examples] NOT TESTED: " + said);
        return Assumptions.abort(said);
    }

    /** A client on the path proves nothing; the engine has to answer. */
    private static boolean containerEngine() {
        try {
            Process info = new ProcessBuilder("docker", "info", "--format", "{{.ServerVersion}}")
                    .redirectErrorStream(true)
                    .start();
            return info.waitFor(10, TimeUnit.SECONDS) && info.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String container() {
        int port = freePort();
        String name = "dedup-store-rabbitmq-" + port;
        docker("run", "--rm", "-d", "--name", name, "-p", "127.0.0.1:" + port + ":5672", IMAGE);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> docker("rm", "-f", name)));
        String address = "amqp://guest:guest@127.0.0.1:" + port;
        Await.until("the container is ready", () -> answers(address));
        return address;
    }

    private static boolean answers(String address) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(address);
        try {
            factory.newConnection().close();
            return true;
        } catch (IOException | TimeoutException e) {
            return false;
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void docker(String... arguments) {
        try {
            ProcessBuilder builder = new ProcessBuilder("docker").redirectErrorStream(true);
            builder.command().addAll(Arrays.asList(arguments));
            Process process = builder.start();
            byte[] said = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(new String(said, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
