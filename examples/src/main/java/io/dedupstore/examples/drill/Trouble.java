package io.dedupstore.examples.drill;

/** What goes wrong inside the consumer with one delivery. */
enum Trouble {
    NONE("none"),
    /** The work throws when its change is complete. */
    THROWS("work throws"),
    /** A statement of the work fails, which the work ignores, going on with the next. */
    SWALLOWS("work swallows a failure"),
    /** The work commits by itself, and ignores that it may not. */
    COMMITS("work commits by itself"),
    /** The thread is interrupted in the work. */
    INTERRUPTED("thread interrupted"),
    /** The work outlasts the source's visibility timeout. */
    OUTLASTS("work outlasts visibility"),
    /** Two deliveries lock two rows, one upwards and one downwards. */
    LOCKS_UP("deadlock"),
    /** The other one of the two. */
    LOCKS_DOWN("deadlock"),
    /** The process ends in the work. */
    DIES_IN_WORK("consumer dies in work"),
    /** The process ends between commit and answer. */
    DIES_AFTER_COMMIT("consumer dies after commit");

    private final String shown;

    Trouble(String shown) {
        this.shown = shown;
    }

    String shown() {
        return shown;
    }
}
