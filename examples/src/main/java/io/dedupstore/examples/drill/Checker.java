package io.dedupstore.examples.drill;

import io.dedupstore.Disposition;
import io.dedupstore.examples.drill.History.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges a drill from the outside, knowing nothing of the store: from the deliveries, the answers and the final tables.
 * Two deliveries with the same event and the same amount carry the same payload.
 */
final class Checker {
    private final History history;
    private final Tables tables;
    private final List<String> violations = new ArrayList<>();

    private Checker(History history, Tables tables) {
        this.history = history;
        this.tables = tables;
    }

    /** {@return everything that is wrong; empty if nothing is} */
    static List<String> check(History history, Tables tables) {
        Checker checker = new Checker(history, tables);
        checker.events();
        checker.totals();
        return checker.violations;
    }

    /** A delivery with its answer, or without. */
    private record Fate(
            long id, Transfer transfer, @Nullable Answer answer) {
        boolean is(Saw saw) {
            return answer != null && answer.saw() == saw;
        }

        boolean is(Disposition disposition) {
            return answer != null && answer.disposition() == disposition;
        }

        /** Only a delivery whose outcome nobody was told may have been applied without anyone seeing it. */
        boolean mayHaveBeenAppliedUnseen() {
            return answer == null || answer.saw() == Saw.IN_DOUBT;
        }
    }

    private void events() {
        Map<Long, List<Fate>> delivered = new TreeMap<>();
        history.deliveries()
                .forEach((id, transfer) -> delivered
                        .computeIfAbsent(transfer.number(), n -> new ArrayList<>())
                        .add(new Fate(id, transfer, history.answers().get(id))));
        Map<Long, List<Transfer>> applied = new HashMap<>();
        tables.effects()
                .forEach(effect -> applied.computeIfAbsent(effect.transfer().number(), n -> new ArrayList<>())
                        .add(effect.transfer()));
        delivered.forEach((number, fates) -> event(number, fates, applied.getOrDefault(number, List.of())));
        Set<Long> unknown = new HashSet<>(applied.keySet());
        unknown.removeAll(delivered.keySet());
        unknown.forEach(number -> wrong(number, "has an effect and was never delivered"));
        claims(delivered.keySet(), applied.keySet());
    }

    private void event(long number, List<Fate> fates, List<Transfer> effects) {
        for (Fate fate : fates) {
            boolean hasEffect = effects.contains(fate.transfer());
            if (fate.is(Disposition.ACK) && !hasEffect) {
                wrong(number, "delivery " + fate.id() + " was acknowledged and its payload has no effect");
            }
            if (fate.is(Disposition.QUARANTINE) && hasEffect) {
                wrong(number, "delivery " + fate.id() + " was quarantined and its payload has an effect");
            }
        }
        if (effects.size() != 1) {
            wrong(number, effects.isEmpty() ? "is lost: it has no effect" : "was applied " + effects.size() + " times");
            return;
        }
        Transfer effect = effects.get(0);
        if (fates.stream().noneMatch(fate -> fate.transfer().equals(effect))) {
            wrong(number, "has the effect of a payload that was never delivered");
        }
        long seen = fates.stream().filter(fate -> fate.is(Saw.APPLIED)).count();
        if (seen > 1) {
            wrong(number, "was reported as applied " + seen + " times");
        }
        if (seen == 0 && fates.stream().noneMatch(f -> f.transfer().equals(effect) && f.mayHaveBeenAppliedUnseen())) {
            wrong(number, "has an effect, but all its deliveries say that they did not make it");
        }
        if (fates.stream().noneMatch(fate -> fate.is(Disposition.ACK))) {
            wrong(number, "was never acknowledged");
        }
    }

    private void claims(Set<Long> delivered, Set<Long> applied) {
        Set<String> without = new HashSet<>(tables.claims());
        for (long number : applied) {
            if (!without.remove(Transfer.of(0, number).event())) {
                wrong(number, "has an effect without a claim");
            }
        }
        without.forEach(event -> violations.add("Event " + event + " has a claim without an effect"));
        if (tables.claims().size() > delivered.size()) {
            violations.add("There are more claims than events");
        }
    }

    /** The journal and the balances tell the same, and no money came or went. */
    private void totals() {
        Map<Integer, Long> expected = new HashMap<>();
        tables.balances().keySet().forEach(account -> expected.put(account, Bank.OPENING_BALANCE));
        for (Tables.Effect effect : tables.effects()) {
            Transfer t = effect.transfer();
            expected.merge(t.from(), -t.amount(), Long::sum);
            expected.merge(t.to(), t.amount(), Long::sum);
        }
        expected.forEach((account, balance) -> {
            if (!balance.equals(tables.balances().get(account))) {
                violations.add(
                        "Account " + account + " holds " + tables.balances().get(account) + " instead of " + balance
                                + ": a transfer was applied in part");
            }
        });
        long total =
                tables.balances().values().stream().mapToLong(Long::longValue).sum();
        if (total != tables.balances().size() * Bank.OPENING_BALANCE) {
            violations.add("The total is " + total + ": money came or went");
        }
    }

    private void wrong(long number, String what) {
        violations.add("Event " + number + " " + what);
    }
}
