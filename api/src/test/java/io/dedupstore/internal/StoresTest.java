package io.dedupstore.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.DedupStore;
import io.dedupstore.StoreConfigurationException;
import io.dedupstore.TransientStoreException;
import io.dedupstore.spi.DedupDialect;
import io.dedupstore.spi.TableName;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Building a store where no store module is on the class path. Nothing of a database is asked, hence no real one. */
class StoresTest {
    private final AtomicInteger closed = new AtomicInteger();

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(StoresTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private DataSource unknownDatabase() {
        DatabaseMetaData metadata = proxy(
                DatabaseMetaData.class,
                (self, method, args) -> method.getName().equals("getDatabaseProductName") ? "Unknown DB" : null);
        Connection connection = proxy(Connection.class, (self, method, args) -> switch (method.getName()) {
            case "getMetaData" -> metadata;
            case "getAutoCommit" -> true;
            case "isClosed" -> closed.get() > 0;
            case "close" -> {
                closed.incrementAndGet();
                yield null;
            }
            case "hashCode" -> 1;
            case "equals" -> self == args[0];
            default -> null;
        });
        return proxy(DataSource.class, (self, method, args) -> connection);
    }

    private static DataSource failing(Throwable failure) {
        return proxy(DataSource.class, (self, method, args) -> {
            throw failure;
        });
    }

    private static DedupDialect dialect(String table) {
        return proxy(DedupDialect.class, (self, method, args) -> switch (method.getName()) {
            case "table" -> TableName.of(table);
            case "ddl" -> "ddl of " + table;
            case "usedWith" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    @Test
    void e5_withoutAStoreModuleTheModulesAreNamed() {
        assertThatThrownBy(() -> DedupStore.builder(unknownDatabase()).build())
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("Unknown DB")
                .hasMessageContaining("Found: none")
                .hasMessageContaining("dedup-store-sqlite")
                .hasMessageContaining("dedup-store-postgres")
                .hasMessageContaining("dedup-store-mysql")
                .hasMessageContaining("dedup-store-oracle");
        assertThat(closed).as("connections given back").hasValue(1);
    }

    @Test
    void e6_aDatabaseThatCannotBeReachedIsTransientAndItsUrlNotShown() {
        SQLException failure = new SQLException("jdbc:db://u:pass-secret@host refused", "08001", 17);
        assertThatThrownBy(() -> DedupStore.builder(failing(failure)).build())
                .isInstanceOfSatisfying(TransientStoreException.class, told -> {
                    assertThat(told.reason()).isEqualTo(TransientStoreException.Reason.CONNECTION);
                    assertThat(told.getCause()).hasMessageNotContaining("pass-secret");
                })
                .hasMessageContaining("08001")
                .hasMessageNotContaining("pass-secret");
    }

    @Test
    void aDialectThatIsGivenNeedsNoConnection() {
        DataSource unreachable = failing(new SQLException("not to be asked"));
        DedupStore store =
                DedupStore.builder(unreachable).dialect(dialect("t_claim")).build();
        assertThat(store.schema().ddl()).isEqualTo("ddl of t_claim");
        assertThat(DedupStore.builder(unreachable)
                        .dialect(dialect("t_claim"))
                        .table("t_claim")
                        .build())
                .isNotNull();
    }

    @Test
    void aDialectOfAnotherTableContradictsTheBuilder() {
        DedupStore.Builder builder = DedupStore.builder(unknownDatabase())
                .dialect(dialect("t_claim"))
                .table("other_claim");
        assertThatThrownBy(builder::build)
                .isInstanceOf(StoreConfigurationException.class)
                .hasMessageContaining("t_claim")
                .hasMessageContaining("other_claim");
    }

    @Test
    void w2_theWaitBoundIsFromAMillisecondToAnHour() {
        DedupStore.Builder builder = DedupStore.builder(unknownDatabase());
        assertThat(builder.lockWait(Duration.ofMillis(1)).lockWait(Duration.ofHours(1)))
                .isSameAs(builder);
        for (Duration wrong : new Duration[] {
            Duration.ZERO,
            Duration.ofMillis(-5),
            Duration.ofNanos(999_999),
            Duration.ofHours(1).plusNanos(1)
        }) {
            assertThatThrownBy(() -> builder.lockWait(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> DedupStore.builder((DataSource) null)).isInstanceOf(NullPointerException.class);
        DedupStore.Builder builder = DedupStore.builder(unknownDatabase());
        assertThatThrownBy(() -> builder.retry(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.listener(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.permanentFailure(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.dialect(null)).isInstanceOf(NullPointerException.class);
    }
}
