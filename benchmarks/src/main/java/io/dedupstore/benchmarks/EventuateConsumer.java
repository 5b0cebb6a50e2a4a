package io.dedupstore.benchmarks;

import io.eventuate.common.jdbc.EventuateSchema;
import io.eventuate.common.spring.jdbc.EventuateSpringJdbcStatementExecutor;
import io.eventuate.common.spring.jdbc.EventuateSpringTransactionTemplate;
import io.eventuate.tram.consumer.common.DuplicateMessageDetector;
import io.eventuate.tram.consumer.jdbc.SqlTableBasedDuplicateMessageDetector;
import io.eventuate.tram.messaging.common.Message;
import io.eventuate.tram.messaging.common.MessageImpl;
import io.eventuate.tram.messaging.common.SubscriberIdAndMessage;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Eventuate Tram, which does not say whether it applied: the work tells. */
final class EventuateConsumer implements Consumer {
    private final Spring spring;
    private final DuplicateMessageDetector detector;

    EventuateConsumer(Database database, DataSource pool) {
        this.spring = new Spring(pool);
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE IF NOT EXISTS received_messages (consumer_id VARCHAR(200) NOT NULL,"
                + " message_id VARCHAR(200) NOT NULL, creation_time BIGINT, PRIMARY KEY (consumer_id, message_id))");
        String now = database == Database.MYSQL
                ? "ROUND(UNIX_TIMESTAMP(CURTIME(4)) * 1000)"
                : "(ROUND(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000))";
        this.detector = new SqlTableBasedDuplicateMessageDetector(
                new EventuateSchema(EventuateSchema.EMPTY_SCHEMA),
                now,
                new EventuateSpringJdbcStatementExecutor(jdbc),
                new EventuateSpringTransactionTemplate(spring.transaction()));
    }

    @Override
    public boolean consume(Delivery delivery, Hold hold) {
        boolean[] applied = new boolean[1];
        Message message = new MessageImpl("", Map.of(Message.ID, delivery.eventId()));
        detector.doWithMessage(new SubscriberIdAndMessage("bench", message), () -> {
            spring.credit(delivery);
            hold.inTransaction();
            applied[0] = true;
        });
        return applied[0];
    }
}
