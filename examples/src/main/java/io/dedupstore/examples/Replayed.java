package io.dedupstore.examples;

import java.util.List;
import java.util.stream.Stream;

/**
 * A finished replay.
 *
 * @param mode with or without the claim
 * @param lines what came of each delivery, in the order in which they ended
 */
record Replayed(Mode mode, List<Observed> lines) {
    Replayed {
        lines = List.copyOf(lines);
    }

    List<String> titles() {
        return lines.stream().map(line -> line.delivery().title()).distinct().toList();
    }

    boolean asExpected(String title) {
        return of(title).allMatch(Observed::asExpected);
    }

    /** {@return the line after which nothing of the case happened any more} */
    Observed last(String title) {
        return of(title).reduce((earlier, later) -> later).orElseThrow();
    }

    /** {@return how many cases have more committed credits than events} */
    long creditedTooOften() {
        return titles().stream()
                .filter(title -> last(title).state().credits() > events(title))
                .count();
    }

    private long events(String title) {
        return of(title).map(line -> line.delivery().event()).distinct().count();
    }

    private Stream<Observed> of(String title) {
        return lines.stream().filter(line -> line.delivery().title().equals(title));
    }
}
