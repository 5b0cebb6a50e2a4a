package io.dedupstore.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** What the peers need of Spring: its transactions, and the business change in the one that is open. */
final class Spring {
    private final DataSource pool;
    private final TransactionTemplate transaction;

    Spring(DataSource pool) {
        this.pool = pool;
        this.transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    }

    TransactionTemplate transaction() {
        return transaction;
    }

    void credit(Delivery delivery) {
        Connection connection = DataSourceUtils.getConnection(pool);
        try {
            Business.credit(connection, delivery.account());
        } catch (SQLException e) {
            throw new IllegalStateException("The business change failed", e);
        } finally {
            DataSourceUtils.releaseConnection(connection, pool);
        }
    }
}
