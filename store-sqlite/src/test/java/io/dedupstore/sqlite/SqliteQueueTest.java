package io.dedupstore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedupstore.DedupStore;
import io.dedupstore.TransientStoreException;
import io.dedupstore.spi.TableName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SqliteQueueTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private static WriterQueue queue(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            return WriterQueue.of(connection, null);
        }
    }

    private static void awaitWaiting(WriterQueue queue, int threads) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (queue.waiting() != threads) {
            assertThat(System.nanoTime())
                    .as("deadline for %d waiting threads", threads)
                    .isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void w1_turnsAreTakenInTheOrderInWhichTheyWereAskedFor() throws Exception {
        WriterQueue queue = queue("jdbc:sqlite:" + folder.resolve("fifo.db"));
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        assertThat(queue.enter(LONG)).isTrue();
        for (int i = 0; i < 20; i++) {
            int number = i;
            turns.add(start(() -> {
                assertThat(queue.enter(LONG)).isTrue();
                order.add(number);
                queue.leave();
            }));
            awaitWaiting(queue, i + 1);
        }
        queue.leave();
        for (CompletableFuture<Void> turn : turns) {
            turn.get(30, TimeUnit.SECONDS);
        }
        assertThat(order).hasSize(20).isSorted();
    }

    interface Task {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> start(Task task) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            Throwable failure = catchThrowable(task::run);
            if (failure == null) {
                end.complete(null);
            } else {
                end.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    @Test
    void w2_aTurnThatDoesNotComeIsGivenUpAtTheBound() throws Exception {
        WriterQueue queue = queue("jdbc:sqlite:" + folder.resolve("bound.db"));
        assertThat(queue.enter(LONG)).isTrue();
        assertThat(queue.isMine()).isTrue();
        start(() -> {
                    assertThat(queue.enter(Duration.ofMillis(50))).isFalse();
                    assertThat(queue.enter(Duration.ofMillis(-50))).isFalse();
                    assertThat(queue.isMine()).isFalse();
                })
                .get(30, TimeUnit.SECONDS);
        queue.leave();
        assertThat(queue.waiting()).isZero();
        assertThat(queue.isMine()).isFalse();
    }

    @Test
    void spellingsOfOnePathShareAQueue() throws Exception {
        Path file = folder.resolve("spelled.db");
        Files.createFile(file);
        WriterQueue queue = queue("jdbc:sqlite:" + file);
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
        Path linkedFolder = Files.createSymbolicLink(folder.resolve("linked"), folder);
        Path detour = folder.resolve(".").resolve("x").resolve("..").resolve("spelled.db");
        Files.createDirectory(folder.resolve("x"));
        String relative =
                Path.of("").toAbsolutePath().relativize(file.toRealPath()).toString();
        for (String spelled : List.of(
                file.toString(),
                link.toString(),
                linkedFolder.resolve("spelled.db").toString(),
                detour.toString(),
                relative,
                "./" + relative,
                "file:" + file,
                "file:" + file + "?mode=ro")) {
            assertThat(queue("jdbc:sqlite:" + spelled)).as(spelled).isSameAs(queue);
        }
        assertThat(queue("jdbc:sqlite:" + folder.resolve("other.db"))).isNotSameAs(queue);
    }

    @Test
    void aFileThatIsNotYetThereHasTheSameQueueLater() throws Exception {
        Path file = folder.resolve("new.db");
        WriterQueue before = queue("jdbc:sqlite:" + file);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a)");
        }
        assertThat(queue("jdbc:sqlite:" + file)).isSameAs(before);
    }

    @Test
    void attachedFileHasItsOwnQueue() throws Exception {
        Path other = folder.resolve("attached.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("main.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("ATTACH '" + other + "' AS other");
            WriterQueue attached = WriterQueue.of(connection, "OTHER");
            assertThat(attached).isSameAs(queue("jdbc:sqlite:" + other)).isNotSameAs(WriterQueue.of(connection, null));
            assertThat(WriterQueue.of(connection, "main")).isSameAs(WriterQueue.of(connection, null));
        }
    }

    @Test
    void memoryDatabasesDoNotShareAQueue() throws Exception {
        assertThat(queue("jdbc:sqlite::memory:")).isNotSameAs(queue("jdbc:sqlite::memory:"));
    }

    @Test
    void r4_interruptWhileQueueingEndsTheClaimAtOnce() throws Exception {
        Ledger ledger = Ledger.create(folder.resolve("interrupt.db"));
        SqliteDialect dialect;
        try (Connection connection = ledger.connection()) {
            dialect = (SqliteDialect) new SqliteDialectProvider().dialect(connection, TableName.of(TableName.DEFAULT));
        }
        DedupStore store = DedupStore.builder(ledger.source())
                .dialect(dialect)
                .lockWait(LONG)
                .build();
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        CompletableFuture<Void> waits = new CompletableFuture<>();
        store.claimAndApply(Ledger.event("holder"), tx -> {
            Thread thread = new Thread(() -> {
                Throwable caught = catchThrowable(() -> store.claimAndApply(Ledger.event("waiter"), Ledger::credit));
                boolean flag = Thread.currentThread().isInterrupted();
                Throwable wrong = catchThrowable(() -> assertInterrupted(caught, flag));
                if (wrong == null) {
                    waits.complete(null);
                } else {
                    waits.completeExceptionally(wrong);
                }
            });
            thread.start();
            waiter.complete(thread);
            return await(dialect, thread, waits);
        });
        assertThat(store.find(Ledger.event("waiter").key())).isEmpty();
        assertThat(ledger.credits()).isZero();
        ledger.assertNothingRemains(Ledger.event("waiter"));
    }

    private static boolean await(SqliteDialect dialect, Thread thread, CompletableFuture<Void> waits) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (dialect.waiting() != 1) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
        thread.interrupt();
        waits.orTimeout(20, TimeUnit.SECONDS).join();
        return true;
    }

    private static void assertInterrupted(Throwable caught, boolean flag) {
        assertThat(caught)
                .isInstanceOfSatisfying(
                        TransientStoreException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(TransientStoreException.Reason.INTERRUPTED));
        assertThat(flag).as("the interrupt flag").isTrue();
    }
}
