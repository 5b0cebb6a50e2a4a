package io.dedupstore.examples;

import java.util.Objects;

/**
 * What came of a delivery, beside what should have.
 *
 * @param delivery the delivery
 * @param answer what the consumer said
 * @param state what the account held afterwards
 * @param expected what should have come of it
 */
record Observed(Delivery delivery, Answer answer, Accounts.State state, Expected expected) {
    boolean asExpected() {
        return answer.ending() == expected.ending()
                && Objects.equals(answer.disposition(), expected.disposition())
                && state.equals(expected.state());
    }
}
