package io.dedupstore.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ server as a child process, from Debian's package {@code rabbitmq-server}, with a node name, a port mapper,
 * ports and a data folder of its own: it neither uses nor disturbs the package's service.
 */
public final class RabbitServer implements Broker {
    // not the program in /usr/sbin, which changes the user
    private static final Path PROGRAM = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] PROTOCOL_HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final Pattern COUNT = Pattern.compile("\\{ok, (\\d+)}");

    private final int port = freePort();
    private final int distributionPort = freePort();
    private final int mapperPort = freePort();
    private final RabbitFolder folder;
    private @Nullable Process mapper;
    private @Nullable Process launcher;

    private RabbitServer(List<String> settings) {
        this.folder = new RabbitFolder(port, settings);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** {@return whether this machine has the package} */
    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /**
     * Starts one.
     *
     * @param settings lines for its configuration
     * @return the server, which answers
     */
    public static RabbitServer start(String... settings) {
        RabbitServer server = new RabbitServer(List.of(settings));
        server.startMapper();
        server.restart();
        return server;
    }

    /** Else the server would start one that outlives it. */
    private void startMapper() {
        mapper = launch("epmd", "-address", "127.0.0.1", "-port", Integer.toString(mapperPort));
        await(mapper, () -> accepts(mapperPort));
    }

    private Process launch(String... command) {
        try {
            return builder(command)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.logFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String address() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    /** The server itself; what was started is only a shell that waits for it. */
    @Override
    public void kill() {
        end(ProcessHandle::destroyForcibly);
    }

    @Override
    public void restart() {
        folder.forgetPid();
        launcher = launch(PROGRAM.toString());
        await(launcher, this::speaks);
    }

    private ProcessBuilder builder(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("HOME", folder.path("home"));
        environment.put("LANG", "C.UTF-8");
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
        environment.put("RABBITMQ_NODENAME", node());
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
        environment.put("RABBITMQ_MNESIA_BASE", folder.path("data"));
        environment.put("RABBITMQ_LOG_BASE", folder.path("log"));
        environment.put("RABBITMQ_LOGS", "-");
        environment.put("RABBITMQ_CONFIG_FILE", folder.path("rabbitmq.conf"));
        environment.put("RABBITMQ_CONF_ENV_FILE", folder.path("none"));
        environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", folder.path("plugins"));
        environment.put("RABBITMQ_PID_FILE", folder.path("pid"));
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                "-kernel inet_dist_use_interface {127,0,0,1}"
                        // idle schedulers sleep at once: the machine has others to serve
                        + " +sbwt none"
                        // how often a channel looks for deliveries older than consumer_timeout; the default is a minute
                        + " -rabbit channel_tick_interval 200");
        return builder;
    }

    private String node() {
        return "dedup" + port + "@localhost";
    }

    private void await(Process process, BooleanSupplier answers) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!answers.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException("The server did not start: " + log());
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** An open port is not enough: it is opened a moment before the server is done with its start. */
    private boolean speaks() {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(1_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(PROTOCOL_HEADER);
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return what it has printed} */
    public String log() {
        return folder.log();
    }

    /**
     * Counts a queue's messages, also those that are delivered and not acknowledged, which clients cannot see.
     *
     * @param queue a quorum queue
     * @return how many
     */
    public long messages(String queue) {
        String expression = "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + queue + "\">>)),"
                + " {ok, {_, N}, _} = ra:local_query(amqqueue:get_pid(Q), fun rabbit_fifo:query_messages_total/1), N.\n";
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Matcher answer = COUNT.matcher(evaluate(expression));
            if (answer.matches()) {
                return Long.parseLong(answer.group(1));
            }
            // a queue is not ready at once when the server is
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("The server cannot count the messages of " + queue + ": " + log());
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private String evaluate(String expression) {
        try {
            Process call = builder("erl_call", "-sname", node(), "-e").start();
            try (var in = call.outputWriter(StandardCharsets.UTF_8)) {
                in.write(expression);
            }
            return new String(call.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void end(Consumer<ProcessHandle> how) {
        Process started = Objects.requireNonNull(launcher);
        OptionalLong pid = folder.pid();
        if (pid.isPresent()) {
            ProcessHandle.of(pid.getAsLong()).ifPresent(how);
        } else {
            how.accept(started.toHandle());
        }
        try {
            if (!started.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The server did not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (launcher != null && launcher.isAlive()) {
            end(ProcessHandle::destroy);
        }
        if (mapper != null) {
            mapper.destroyForcibly();
        }
        folder.delete();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
