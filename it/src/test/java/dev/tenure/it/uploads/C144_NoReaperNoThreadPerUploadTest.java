package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Supervisor;
import dev.tenure.http.Response;
import dev.tenure.it.Counts;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import dev.tenure.testkit.Probes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C144: many uploads of 2 MB, every third abandoned; nothing may wait for a collection or a reaper.
@ExtendWith(LeakCheck.class)
class C144_NoReaperNoThreadPerUploadTest {
    private static final int UPLOADS = Counts.of(90, 2_000);
    private static final String BODY = Client.part("photo", "x".repeat(2_000_000)) + "--B--";
    /// What the JVM itself and the transport may add while they warm up: carriers, compiler, event loops.
    private static final int WARM_UP_THREADS = 12;

    @TempDir
    Path directory;

    @Test
    void C144_filesGoWithTheirScopes() throws Exception {
        var files = new Semaphore(0);
        try (var server = new UploadServer(directory, uploads -> uploads.partBytesMax(4_000_000), http -> http);
                var _ = Probes.install(point -> {
                    if (point.equals("acquire/part file:after")) {
                        files.release();
                    }
                })) {
            server.working((uploads, exchange) ->
                    uploads.onePart(exchange, "photo", part -> Response.ok().text("" + Files.size(part.file()))));
            upload(server);
            files.acquire();
            var mark = Ledger.ofThisJvm().mark();
            var named = productThreads();
            var threads = ManagementFactory.getThreadMXBean();
            threads.resetPeakThreadCount();
            var before = threads.getThreadCount();
            for (var i = 1; i <= UPLOADS; i++) {
                if (i % 3 == 0) {
                    abandon(server, files);
                } else {
                    upload(server);
                    files.acquire();
                }
            }
            assertThat(productThreads())
                    .as("the timer's thread comes and goes with the alarms")
                    .isSubsetOf(Stream.concat(named.stream(), Stream.of("tenure-timer"))
                            .toList());
            assertThat(threads.getPeakThreadCount() - before).isLessThan(WARM_UP_THREADS);
            server.assertBase(mark);
            server.assertAlive();
        }
    }

    private static void upload(UploadServer server) throws Exception {
        try (var client = server.connect()) {
            assertThat(client.post(BODY).body()).isEqualTo("2000000");
        }
        assertThat(server.awaitRetirement()).isEmpty();
    }

    /// Goes after half of the body, once its file is there.
    private static void abandon(UploadServer server, Semaphore files) throws Exception {
        try (var tasks = Supervisor.open("client");
                var client = server.connect()) {
            tasks.fork("send", () -> {
                try {
                    return client.send(Client.head(BODY.length())).send(BODY.substring(0, BODY.length() / 2));
                } catch (IOException gone) {
                    return client;
                }
            });
            files.acquire();
            client.reset();
        }
        assertThat(server.awaitRetirement()).isEmpty();
    }

    private static Set<String> productThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("tenure-"))
                .collect(Collectors.toSet());
    }
}
