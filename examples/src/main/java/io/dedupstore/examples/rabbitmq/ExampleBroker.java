package io.dedupstore.examples.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.dedupstore.brokers.RabbitServer;
import io.dedupstore.examples.UsageException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The example's broker: one of its own, or the user's. */
final class ExampleBroker implements AutoCloseable {
    private final ConnectionFactory factory = new ConnectionFactory();
    private final @Nullable RabbitServer server;

    private ExampleBroker(@Nullable RabbitServer server) {
        this.server = server;
    }

    static ExampleBroker open(@Nullable String given) throws UsageException {
        if (given == null && !RabbitServer.isInstalled()) {
            throw new UsageException(
                    "This machine has no RabbitMQ server (Debian's package rabbitmq-server). Install it,"
                            + " or give the URI of a broker of yours: --broker amqp://user:password@host:port/vhost");
        }
        ExampleBroker broker = new ExampleBroker(given == null ? RabbitServer.start() : null);
        try {
            broker.factory.setUri(broker.server == null ? String.valueOf(given) : broker.server.address());
            return broker;
        } catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
            broker.close();
            // not its message, which may quote a password
            throw new UsageException(
                    "The value of --broker is no URI of the form amqp://user:password@host:port/vhost");
        }
    }

    Connection connect() throws UsageException {
        try {
            return factory.newConnection();
        } catch (IOException | TimeoutException e) {
            throw new UsageException(
                    "The broker of --broker cannot be used (" + e.getClass().getSimpleName() + ").");
        }
    }

    String description(Connection connection) {
        return "RabbitMQ " + connection.getServerProperties().get("version")
                + (server == null ? " of --broker" : ", its own");
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
