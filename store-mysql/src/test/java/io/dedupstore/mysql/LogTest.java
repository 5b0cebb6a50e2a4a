package io.dedupstore.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.DedupStore;
import io.dedupstore.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log says of a pool, and of duplicates. In a JVM of its own, since a logger's level is fixed when it is made. */
class LogTest {
    /** Builds a store, applies an event and delivers it again. */
    static final class Deliveries {
        private Deliveries() {}

        public static void main(String[] args) {
            DedupStore store = DedupStore.builder(Scene.source(args[0])).build();
            Event event = Scene.event();
            store.claimAndApply(event, Scene::credit);
            store.claimAndApply(event, Scene::credit);
            store.claimAndApply(event.redelivered(true), Scene::credit);
        }
    }

    private static List<String> logged(String url) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Deliveries.class.getName(),
                        url)
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    @Test
    void e7_oneWarningOfAPoolWhoseSessionsNeedSettingsAndNoneOfDuplicates() throws Exception {
        String url = new Scene(Servers.MYSQL80.url()).ready().url();
        assertThat(logged(url))
                .singleElement()
                .asString()
                .contains("sessionVariables=transaction_isolation='READ-COMMITTED',innodb_lock_wait_timeout=5");
        assertThat(logged(Urls.recommended(url))).isEmpty();
    }
}
