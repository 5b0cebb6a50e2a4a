package io.dedupstore.examples.cmq;

import com.qcloud.cmq.Account;
import com.qcloud.cmq.CMQServerException;
import com.qcloud.cmq.Queue;
import com.qcloud.cmq.QueueMeta;
import io.dedupstore.brokers.CmqStandIn;
import io.dedupstore.examples.UsageException;
import io.dedupstore.examples.credit.ExampleOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The example's queues: on a stand-in of its own, or on the user's account. There they are created if the endpoint allows
 * it (TDMQ's does not: its console creates queues), else those that are there are used, and left there, if they are empty.
 */
final class ExampleQueues implements AutoCloseable {
    static final String CREDITS = "dedup-example-credits";
    static final Duration VISIBILITY = Duration.ofSeconds(2);

    private static final int POLLING_S = 1;

    private final Account account;
    private final @Nullable CmqStandIn standIn;
    private final List<String> created = new ArrayList<>();

    private ExampleQueues(Account account, @Nullable CmqStandIn standIn) {
        this.account = account;
        this.standIn = standIn;
    }

    static ExampleQueues open(ExampleOptions options, Map<String, String> environment) throws UsageException {
        ExampleQueues queues = options.broker() == null ? onStandIn() : on(options.broker(), environment);
        try {
            for (String name : names()) {
                queues.provide(name);
            }
            return queues;
        } catch (UsageException | RuntimeException e) {
            queues.close();
            throw e;
        }
    }

    private static List<String> names() {
        return List.of(CREDITS, Queues.quarantine(CREDITS), Queues.dead(CREDITS));
    }

    private static ExampleQueues onStandIn() {
        CmqStandIn standIn = CmqStandIn.start();
        Account account = Cmq.connect(standIn.address(), standIn.secretId(), standIn.secretKey());
        return new ExampleQueues(account, standIn);
    }

    private static ExampleQueues on(String endpoint, Map<String, String> environment) throws UsageException {
        String secretId = environment.get(Cmq.SECRET_ID);
        String secretKey = environment.get(Cmq.SECRET_KEY);
        if (secretId == null || secretKey == null) {
            throw new UsageException("With --broker the environment variables " + Cmq.SECRET_ID + " and "
                    + Cmq.SECRET_KEY + " must hold the account's key.");
        }
        return new ExampleQueues(Cmq.connect(checked(endpoint), secretId, secretKey), null);
    }

    /** The SDK signs what it finds after the scheme, and takes the scheme's length for granted. */
    private static String checked(String endpoint) throws UsageException {
        try {
            URI uri = new URI(endpoint);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getPath().isEmpty()) {
                return endpoint;
            }
        } catch (URISyntaxException e) {
            // not quoted: it may hold a password
        }
        throw new UsageException("The value of --broker is no http://HOST[:PORT] or https://HOST[:PORT].");
    }

    private void provide(String name) throws UsageException {
        try {
            QueueMeta settings = new QueueMeta();
            settings.visibilityTimeout = (int) VISIBILITY.toSeconds();
            settings.pollingWaitSeconds = name.equals(CREDITS) ? POLLING_S : 0;
            account.createQueue(name, settings);
            created.add(name);
        } catch (CMQServerException e) {
            requireEmpty(account.getQueue(name), name, e);
        } catch (Exception e) {
            throw unusable(e);
        }
    }

    private static void requireEmpty(Queue queue, String name, CMQServerException why) throws UsageException {
        try {
            queue.receiveMessage();
        } catch (CMQServerException e) {
            if (Cmq.isEmpty(e)) {
                return;
            }
            throw new UsageException("The queue " + name + " can neither be created (" + why + ") nor used (" + e
                    + "). Create it in the console, with a visibility timeout of " + VISIBILITY.toSeconds() + " s.");
        } catch (Exception e) {
            throw unusable(e);
        }
        throw new UsageException("The queue " + name + " of --broker is not empty. Delete it, or empty it.");
    }

    private static UsageException unusable(Exception failure) {
        return new UsageException("The broker cannot be used (" + Cmq.describe(failure) + ").");
    }

    Queues queues() {
        return Queues.of(account, CREDITS);
    }

    String description() {
        return standIn == null
                ? "the one of --broker"
                : "a wire stand-in made from CMQ's documentation, not the service";
    }

    @Override
    public void close() {
        if (standIn != null) {
            standIn.close();
            return;
        }
        for (String name : created) {
            try {
                account.deleteQueue(name);
            } catch (Exception e) {
                System.err.println("Left behind: queue " + name);
            }
        }
    }
}
