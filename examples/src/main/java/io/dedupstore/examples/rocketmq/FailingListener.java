package io.dedupstore.examples.rocketmq;

import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
import static org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus.RECONSUME_LATER;

import io.dedupstore.Claim;
import io.dedupstore.DedupListener;
import io.dedupstore.Event;
import io.dedupstore.examples.credit.Credit;
import io.dedupstore.examples.credit.ExampleDatabase;
import io.dedupstore.examples.credit.Ledger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * The experiment: the example's consumer, and beside it one that does not claim, both of which fail at an event's first
 * delivery where {@link Sent} says so. Tells of each delivery what came of it.
 */
final class FailingListener implements MessageListenerConcurrently, DedupListener {
    private final Map<String, Sent> events;
    private final Jdbi jdbi;
    private final CreditListener claiming;
    private final Consumer<Delivered> told;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private final Set<String> duplicates = ConcurrentHashMap.newKeySet();

    FailingListener(List<Sent> events, ExampleDatabase database, Quarantine quarantine, Consumer<Delivered> told) {
        this.events = events.stream().collect(Collectors.toMap(Sent::event, Function.identity()));
        this.jdbi = database.jdbi();
        this.claiming = new CreditListener(database.store(this), this::work, quarantine);
        this.told = told;
    }

    @Override
    public ConsumeConcurrentlyStatus consumeMessage(List<MessageExt> messages, ConsumeConcurrentlyContext context) {
        MessageExt message = messages.get(0);
        Sent sent = events.get(message.getKeys());
        if (sent == null) {
            return RECONSUME_LATER; // of somebody else
        }
        long before = state(sent).credits();
        ConsumeConcurrentlyStatus done =
                sent.claimed() ? claiming.consumeMessage(messages, context) : consumeWithoutClaim(message);
        String action = action(sent, done, before);
        ConsumeConcurrentlyStatus returned = fails(sent, Sent.Fault.AFTER_COMMIT) ? RECONSUME_LATER : done;
        told.accept(new Delivered(
                sent, message.getMsgId(), message.getReconsumeTimes(), action, state(sent), returned.name()));
        return returned;
    }

    /** As consumers are often written. */
    private ConsumeConcurrentlyStatus consumeWithoutClaim(MessageExt message) {
        try {
            Credit credit = Credit.read(message.getKeys(), message.getBody());
            jdbi.useTransaction(tx -> work(tx, credit));
            return CONSUME_SUCCESS;
        } catch (RuntimeException e) {
            return RECONSUME_LATER;
        }
    }

    private void work(Handle tx, Credit credit) {
        Ledger.credit(tx, credit);
        Sent sent = events.get(credit.eventId());
        if (sent != null && fails(sent, Sent.Fault.BEFORE_COMMIT)) {
            throw new IllegalStateException("The consumer fails here, as the example wants it.");
        }
    }

    private boolean fails(Sent sent, Sent.Fault here) {
        return sent.fault() == here && failed.add(sent.event());
    }

    private Ledger.State state(Sent sent) {
        return Ledger.read(jdbi, sent.account());
    }

    private String action(Sent sent, ConsumeConcurrentlyStatus done, long before) {
        if (state(sent).credits() > before) {
            return "credited";
        }
        if (done == RECONSUME_LATER) {
            return "rolled back";
        }
        return duplicates.contains(sent.event()) ? "duplicate" : "quarantined";
    }

    @Override
    public void duplicate(Event event, Claim stored) {
        duplicates.add(event.key().eventId());
    }
}
