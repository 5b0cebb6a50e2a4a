package io.dedupstore.examples;

import java.util.Locale;

/** What came of one delivery. */
enum Ending {
    /** The credit was made and committed. */
    APPLIED,

    /** The store knew the event; nothing was changed. */
    DUPLICATE,

    /** The store knew the event, but with another payload; nothing was changed. */
    CONFLICT,

    /** The work threw; nothing was changed. */
    ROLLED_BACK,

    /** Another consumer held the event's claim all the time. */
    IN_FLIGHT,

    /** Without a claim: another consumer held the account's lock all the time. */
    LOCK_TIMEOUT,

    /** The consumer was killed: whether it had committed, only the balance tells. */
    KILLED,

    /** Something that no file asks for. */
    FAILED;

    String shown() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
