package io.dedupstore.explorer;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import io.dedupstore.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;

/**
 * Drives the real engine through every order in which two consumers can take their steps, with at most so many strikes at
 * any of their steps. Depth first: each execution follows the choices of the one before, but for the last that had another
 * option. Only one thread runs at a time, so that the same choices give the same execution.
 */
final class Explorer implements AutoCloseable {
    private static final int PATIENCE_S = 30;

    /** One option at a point of choice: a consumer steps, or the server ends an abandoned transaction. */
    private record Option(Consumer consumer, Strike strike, World.Tx abandoned, boolean commits) {}

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final DedupStore store;
    private final int mostStrikes;
    private final Map<String, Integer> struck = new TreeMap<>();
    private final TreeSet<String> shapes = new TreeSet<>();
    private final TreeSet<String> states = new TreeSet<>();
    private final TreeSet<String> endings = new TreeSet<>();
    private List<Integer> choices = new ArrayList<>();
    private List<Integer> widths = new ArrayList<>();
    private int executions;

    Explorer(Script script, int mostStrikes) {
        this.mostStrikes = mostStrikes;
        this.store = DedupStore.builder(Jdbi.create(Script::connection))
                .dialect(script)
                .retry(new RetryPolicy(3, Duration.ZERO, Duration.ZERO, Duration.ofHours(1)))
                .build();
        store.schema().validate();
    }

    /** Explores everything; throws what the first wrong execution says. */
    void explore(Event first, Event second) throws InterruptedException {
        choices = new ArrayList<>();
        do {
            execute(first, second);
            executions++;
        } while (nextChoices());
    }

    private boolean nextChoices() {
        for (int i = choices.size() - 1; i >= 0; i--) {
            if (choices.get(i) + 1 < widths.get(i)) {
                choices = new ArrayList<>(choices.subList(0, i + 1));
                choices.set(i, choices.get(i) + 1);
                return true;
            }
        }
        return false;
    }

    private void execute(Event first, Event second) throws InterruptedException {
        World world = new World();
        Semaphore back = new Semaphore(0);
        List<Consumer> consumers =
                List.of(new Consumer("A", world, first, store, back), new Consumer("B", world, second, store, back));
        for (Consumer consumer : consumers) {
            threads.execute(consumer);
            await(back);
        }
        widths = new ArrayList<>();
        int strikes = mostStrikes;
        List<String> trace = new ArrayList<>();
        while (true) {
            note(world, consumers, strikes);
            List<Option> options = options(world, consumers, strikes);
            if (options.isEmpty()) {
                break;
            }
            Option option = options.get(choose(options.size()));
            trace.add(describe(option));
            if (option.consumer() == null) {
                end(world, option);
                continue;
            }
            if (option.strike() != Strike.NONE) {
                strikes--;
                struck.merge(option.consumer().next + " " + option.strike(), 1, Integer::sum);
            }
            option.consumer().go(option.strike());
            await(back);
        }
        judge(world, consumers, trace);
    }

    private static String describe(Option option) {
        return option.consumer() == null
                ? "old transaction " + (option.commits() ? "commits" : "is rolled back")
                : option.consumer().name + " " + option.consumer().next + " " + option.strike();
    }

    private int choose(int width) {
        int at = widths.size();
        widths.add(width);
        if (at == choices.size()) {
            choices.add(0);
        }
        return choices.get(at);
    }

    private static void end(World world, Option option) {
        if (option.commits()) {
            world.commit(option.abandoned());
        } else {
            world.end(option.abandoned());
        }
    }

    private static List<Option> options(World world, List<Consumer> consumers, int strikes) {
        List<Option> options = new ArrayList<>();
        for (Consumer consumer : consumers) {
            Step step = consumer.next;
            if (step == null) {
                continue;
            }
            if (step == Step.CLAIM && !Script.answers(world)) {
                if (strikes > 0) {
                    options.add(new Option(consumer, Strike.WAITED_TOO_LONG, null, false));
                }
                continue;
            }
            options.add(new Option(consumer, Strike.NONE, null, false));
            if (strikes > 0) {
                strikesAt(step).forEach(strike -> options.add(new Option(consumer, strike, null, false)));
            }
        }
        for (World.Tx tx : world.abandoned) {
            options.add(new Option(null, Strike.NONE, tx, false));
            if (tx.mayCommit) {
                options.add(new Option(null, Strike.NONE, tx, true));
            }
        }
        return options;
    }

    private static List<Strike> strikesAt(Step step) {
        return switch (step) {
            case FIND -> List.of(Strike.LOST_BEFORE, Strike.CRASH_BEFORE);
            case CLAIM, WORK, ROLLBACK ->
                List.of(
                        Strike.LOST_BEFORE,
                        Strike.LOST_UNNOTICED,
                        Strike.LOST_AFTER,
                        Strike.CRASH_BEFORE,
                        Strike.CRASH_AFTER);
            case COMMIT ->
                List.of(
                        Strike.LOST_BEFORE,
                        Strike.LOST_UNNOTICED,
                        Strike.LOST_AFTER,
                        Strike.LEFT_RUNNING,
                        Strike.CRASH_BEFORE,
                        Strike.CRASH_AFTER,
                        Strike.CRASH_RUNNING);
        };
    }

    private static void await(Semaphore back) throws InterruptedException {
        if (!back.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new AssertionError("a consumer neither steps nor ends");
        }
    }

    private void note(World world, List<Consumer> consumers, int strikes) {
        shapes.add(world.shape());
        StringBuilder state =
                new StringBuilder(world.shape()).append(" strikes left ").append(strikes);
        consumers.forEach(
                c -> state.append(' ').append(c.next).append(c.runs).append('x').append(c.crashes));
        states.add(state.toString());
    }

    private void judge(World world, List<Consumer> consumers, List<String> trace) {
        for (Consumer consumer : consumers) {
            if (consumer.failure != null) {
                throw new AssertionError(trace.toString(), consumer.failure);
            }
        }
        int applied = consumers.stream().mapToInt(c -> c.applied).sum();
        int crashes = consumers.stream().mapToInt(c -> c.crashes).sum();
        boolean once = world.effects.size() == 1 && world.committed != null;
        boolean done = consumers.stream()
                .allMatch(
                        c -> c.last == io.dedupstore.Disposition.ACK || c.last == io.dedupstore.Disposition.QUARANTINE);
        // without a crash somebody was told that it applied the event; never two
        if (!once || !done || applied > 1 || (crashes == 0 && applied != 1)) {
            throw new AssertionError(trace + ": " + world.effects + " applied " + applied + " done " + done);
        }
        endings.add(consumers.get(0).last + "/" + consumers.get(1).last + " applied " + applied + " runs "
                + (consumers.get(0).runs + consumers.get(1).runs));
    }

    String report() {
        return executions + " executions, " + states.size() + " states of the two consumers and the database\n"
                + "database: " + shapes + "\nstruck: " + struck + "\nendings: " + endings;
    }

    int executions() {
        return executions;
    }

    Map<String, Integer> struck() {
        return struck;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
