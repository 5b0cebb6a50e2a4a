package io.dedupstore.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.dedupstore.servers.CountingProxy;
import java.sql.Connection;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts what no clock shows on a loopback: how often a contender waits for the server. */
final class RoundTrips {
    private static final Pattern LOCAL = Pattern.compile("//(?:localhost|127\\.0\\.0\\.1):(\\d+)/");
    private static final int ENOUGH_TO_PREPARE = 20;
    private static final int COUNTED = 10;

    private final CountingProxy proxy;
    private final Consumer consumer;

    private RoundTrips(CountingProxy proxy, Consumer consumer) {
        this.proxy = proxy;
        this.consumer = consumer;
    }

    /** Of each contender; none if the database is not a server of this machine. */
    static Map<Contender, String> of(Database database, String url) throws Exception {
        Map<Contender, String> counts = new EnumMap<>(Contender.class);
        Matcher server = LOCAL.matcher(url);
        if (!server.find()) {
            return counts;
        }
        try (CountingProxy proxy = new CountingProxy(Integer.parseInt(server.group(1)));
                HikariDataSource pool = Database.pool(server.replaceFirst("//127.0.0.1:" + proxy.port() + "/"), 1)) {
            try (Connection connection = pool.getConnection()) {
                Database.createAccounts(connection);
            }
            for (Contender contender : Contender.values()) {
                counts.put(contender, new RoundTrips(proxy, contender.open(database, pool)).count(contender));
            }
        }
        return counts;
    }

    private String count(Contender contender) throws Exception {
        String known = UUID.randomUUID().toString();
        consume(known, false);
        String fresh = "fresh " + mean(() -> consume(UUID.randomUUID().toString(), false));
        if (contender == Contender.BARE) {
            return fresh;
        }
        String duplicate = ", duplicate " + mean(() -> consume(known, false));
        return contender == Contender.DEDUP_STORE
                ? fresh + duplicate + ", redelivered " + mean(() -> consume(known, true))
                : fresh + duplicate;
    }

    private void consume(String event, boolean redelivered) throws Exception {
        consumer.consume(new Delivery(event, "", redelivered, "a0"), Consumer.Hold.NONE);
    }

    private interface Action {
        void run() throws Exception;
    }

    private String mean(Action action) throws Exception {
        for (int i = 0; i < ENOUGH_TO_PREPARE; i++) {
            action.run();
        }
        proxy.take();
        for (int i = 0; i < COUNTED; i++) {
            action.run();
        }
        int all = proxy.take();
        return all % COUNTED == 0 ? Integer.toString(all / COUNTED) : Double.toString((double) all / COUNTED);
    }
}
