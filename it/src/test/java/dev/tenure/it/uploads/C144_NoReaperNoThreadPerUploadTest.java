package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Supervisor;
import dev.tenure.http.Response;
import dev.tenure.it.Counts;
import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import dev.tenure.testkit.Probes;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    /// Reserved, not used: about 5 MB an upload, of server and client together.
    private static final String HEAP = Counts.of(2, 16) + "g";

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
            var virtual = server.virtualThreadsStarted();
            for (var i = 1; i <= UPLOADS; i++) {
                uploadOrAbandon(server, files, i);
            }
            assertThat(server.virtualThreadsStarted() - virtual)
                    .as("the handler's own, as for any request")
                    .isEqualTo(UPLOADS);
            assertThat(productThreads())
                    .as("the timer's thread comes and goes with the alarms")
                    .isSubsetOf(Stream.concat(named.stream(), Stream.of("tenure-timer"))
                            .toList());
            assertThat(threads.getPeakThreadCount() - before).isLessThan(WARM_UP_THREADS);
            server.assertBase(mark);
            server.assertAlive();
        }
    }

    /// In a JVM that has no collector at all: what relied on one would never be gone.
    @Test
    void C144_filesGoWithTheirScopes_withoutAnyCollection() {
        var uploads = String.valueOf(UPLOADS);
        try (var child = ChildJvm.start(
                List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xms256m", "-Xmx" + HEAP),
                NoCollection.class,
                directory.toString(),
                uploads)) {
            var said = child.awaitLine("uploads ");
            assertThat(child.awaitExit()).as("child: %s", child.lines()).isZero();
            System.out.println("C144: " + said);
            assertThat(said).startsWith("uploads " + uploads + ", collections 0, heap used ");
        }
    }

    /// The child: it looks at the part files right after each scope's end.
    static final class NoCollection {
        private NoCollection() {}

        public static void main(String[] arguments) throws Exception {
            var count = Integer.parseInt(arguments[1]);
            var files = new Semaphore(0);
            try (var server = new UploadServer(
                            Path.of(arguments[0]), uploads -> uploads.partBytesMax(4_000_000), http -> http);
                    var _ = Probes.install(point -> {
                        if (point.equals("acquire/part file:after")) {
                            files.release();
                        }
                    })) {
                server.working((uploads, exchange) ->
                        uploads.onePart(exchange, "photo", part -> Response.ok().text("" + Files.size(part.file()))));
                for (var i = 1; i <= count; i++) {
                    uploadOrAbandon(server, files, i);
                }
                var collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum();
                var used =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
                System.out.printf("uploads %d, collections %d, heap used %d MB%n", count, collections, used >> 20);
            }
        }
    }

    private static void uploadOrAbandon(UploadServer server, Semaphore files, int number) throws Exception {
        if (number % 3 == 0) {
            abandon(server, files);
        } else {
            upload(server);
            files.acquire();
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
