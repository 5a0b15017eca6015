package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.http.Response;
import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// C015: small bodies that ask for huge numbers of parts, files or header bytes.
@ExtendWith(LeakCheck.class)
class C015_FloodsOfPartsTest {
    private static final int HEAP_MB = 40;
    private static final int ROUNDS = 3;
    private static final Duration WAIT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    /// What the client sends, and what it is told.
    enum Flood {
        EMPTY_PARTS("the body has more than 100 parts", 100) {
            @Override
            String body() {
                return Client.part("a", "").repeat(200_000);
            }
        },
        ONE_BYTE_FILES("the body has more than 100 parts", 100) {
            @Override
            String body() {
                return Client.part("a", "x").repeat(10_000);
            }
        },
        HEADER_LINES("the head of a part has more than 8192 bytes", 1) {
            @Override
            String body() {
                return Client.part("a", "x") + "--B\r\n" + "X-Filler: 0123456789\r\n".repeat(5_000_000 / 22);
            }
        },
        LONG_HEADS("the body has more than 100 parts", 100) {
            @Override
            String body() {
                var head = "Content-Disposition: form-data; name=\"a\"\r\n\r\n";
                var filler = "X: " + "y".repeat(8192 - head.length() - 5) + "\r\n";
                return ("--B\r\n" + filler + head + "x\r\n").repeat(1_000);
            }
        };

        private final String refusal;
        private final int partsBefore;

        Flood(String refusal, int partsBefore) {
            this.refusal = refusal;
            this.partsBefore = partsBefore;
        }

        abstract String body();
    }

    /// The server is a process of its own with a heap in which a flood that it kept would find no room.
    @ParameterizedTest
    @EnumSource
    void C015_isRefusedAtItsLimit_inASmallHeap(Flood flood) throws Exception {
        var body = flood.body() + "--B--";
        try (var child = ChildJvm.start(
                        List.of("-Xmx" + HEAP_MB + "m", "-XX:MaxDirectMemorySize=16m", "-XX:+ExitOnOutOfMemoryError"),
                        Flooded.class,
                        directory.toString());
                var tasks = Supervisor.open("client")) {
            var port = Integer.parseInt(child.awaitLine("port ").substring(5));
            Task<Boolean> sending;
            for (var round = 1; round <= ROUNDS; round++) {
                try (var client = new Client(port)) {
                    sending = tasks.fork("send", () -> sendUntilRefused(client, body));
                    var answer = client.read();
                    assertThat(answer.status()).isEqualTo(413);
                    assertThat(answer.body()).contains(flood.refusal);
                    assertThat(answer.closes()).isTrue();
                    assertThat(client.isEndedByFin()).isTrue();
                }
                sending.join();
                assertThat(child.awaitLine("ended " + round + ":"))
                        .isEqualTo("ended %d: files left 0, most at once 1, parts %d, base"
                                .formatted(round, (long) round * flood.partsBefore));
            }
            try (var client = new Client(port)) {
                assertThat(client.get("/ok").status()).isEqualTo(200);
            }
            assertThat(child.isAlive()).as("child: %s", child.lines()).isTrue();
        }
    }

    /// The child program: a server that says after each upload what it has left.
    static final class Flooded {
        private Flooded() {}

        private static void loadWhatAnAnswerNeeds(UploadServer server) throws IOException {
            try (var client = server.connect()) {
                assertThat(client.get("/ok").status()).isEqualTo(200);
            }
        }

        public static void main(String[] arguments) throws Exception {
            var most = new AtomicInteger();
            try (var server =
                    new UploadServer(Path.of(arguments[0]), uploads -> uploads.totalBytesMax(1 << 30), http -> http)) {
                server.working((uploads, exchange) -> {
                    uploads.eachPart(
                            exchange,
                            _ -> most.accumulateAndGet(server.partFiles().size(), Math::max));
                    return Response.ok().empty();
                });
                loadWhatAnAnswerNeeds(server);
                var mark = Ledger.ofThisJvm().mark();
                System.out.println("port " + server.port());
                for (var round = 1; ; round++) {
                    var left = server.awaitRetirement(WAIT);
                    var parts = server.uploads().counts().get("parts");
                    server.assertBase(mark);
                    System.out.printf(
                            "ended %d: files left %d, most at once %d, parts %d, base%n",
                            round, left.size(), most.get(), parts);
                }
            }
        }
    }

    private static boolean sendUntilRefused(Client client, String body) {
        try {
            client.send(Client.head(body.length())).send(body);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
