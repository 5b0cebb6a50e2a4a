package io.dedupstore.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;

/**
 * The source: hands the deliveries out in the order of the file, has consumers killed where a line says so, and looks
 * at the balance after each. One run.
 */
final class Replay {
    private final List<Delivery> deliveries;
    private final List<Expected> expected;
    private final Mode mode;
    private final Jdbi jdbi;
    private final Consumers consumers;
    private final Consumer<Observed> told;
    private final List<Observed> lines = new ArrayList<>();

    Replay(List<Delivery> deliveries, Mode mode, Jdbi jdbi, Consumers consumers, Consumer<Observed> told) {
        this.deliveries = deliveries;
        this.expected = Expected.of(deliveries, mode);
        this.mode = mode;
        this.jdbi = jdbi;
        this.consumers = consumers;
        this.told = told;
    }

    Replayed run() throws IOException, InterruptedException {
        deliveries.stream()
                .map(Delivery::account)
                .distinct()
                .forEach(account -> jdbi.useHandle(handle -> Accounts.open(handle, mode, account)));
        for (int next = 0; next < deliveries.size(); ) {
            next = deliver(next);
        }
        return new Replayed(mode, lines);
    }

    /** Delivers a line, or two at once; the number of the next one. */
    private int deliver(int index) throws IOException, InterruptedException {
        Delivery delivery = deliveries.get(index);
        Answer answer = consumers.first().deliver(delivery.order(mode));
        if (!answer.atThePoint()) {
            note(index, answer);
            return index + 1;
        }
        if (delivery.then() == Then.OUTRUN) {
            deliverToSecond(index + 1);
            note(index, consumers.first().goOn());
            return index + 2;
        }
        consumers.killFirst();
        note(index, Answer.KILLED);
        return index + 1;
    }

    /** The first consumer stands between its credit and its commit, and stays there until the second has answered. */
    private void deliverToSecond(int index) throws IOException, InterruptedException {
        try (ConsumerProcess second = consumers.second()) {
            note(index, second.deliver(deliveries.get(index).order(mode)));
        }
    }

    private void note(int index, Answer answer) {
        Delivery delivery = deliveries.get(index);
        Accounts.State state = jdbi.withHandle(handle -> Accounts.read(handle, mode, delivery.account()));
        Observed observed = new Observed(delivery, answer, state, expected.get(index));
        lines.add(observed);
        told.accept(observed);
    }
}
