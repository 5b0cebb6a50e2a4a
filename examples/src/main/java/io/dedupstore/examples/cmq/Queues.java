package io.dedupstore.examples.cmq;

import com.qcloud.cmq.Account;
import com.qcloud.cmq.Queue;

/**
 * The consumer's queues. Their names are letters, digits and dashes, the case does not matter, and TDMQ keeps those that end
 * with {@code -dlq} or {@code -retry} to itself.
 *
 * @param credits the messages; its visibility timeout should be longer than the work, its retries and lock waits included
 * @param quarantine for what no redelivery will help: a person has to look
 * @param dead for what has failed too often: it can be sent again when the cause is gone
 */
public record Queues(Queue credits, Queue quarantine, Queue dead) {
    /**
     * The queues of an account, by their names.
     *
     * @param account the account
     * @param credits the name of the first; those of the others are derived from it
     * @return the queues, which need not be there yet
     */
    public static Queues of(Account account, String credits) {
        return new Queues(
                account.getQueue(credits), account.getQueue(quarantine(credits)), account.getQueue(dead(credits)));
    }

    static String quarantine(String credits) {
        return credits + "-quarantine";
    }

    static String dead(String credits) {
        return credits + "-dead";
    }
}
