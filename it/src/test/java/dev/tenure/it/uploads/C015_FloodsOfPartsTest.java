package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// C015: small bodies that ask for huge numbers of parts, files or header bytes.
@ExtendWith(LeakCheck.class)
class C015_FloodsOfPartsTest {
    private static final long GROWTH_BYTES_MAX = 16 << 20;

    @TempDir
    Path directory;

    /// What the client sends, and what it is told.
    enum Flood {
        EMPTY_PARTS("body of more than 100 parts", 100) {
            @Override
            String body() {
                return Client.part("a", "").repeat(200_000);
            }
        },
        ONE_BYTE_FILES("body of more than 100 parts", 100) {
            @Override
            String body() {
                return Client.part("a", "x").repeat(10_000);
            }
        },
        HEADER_LINES("part head of more than 8192 bytes", 1) {
            @Override
            String body() {
                return Client.part("a", "x") + "--B\r\n" + "X-Filler: 0123456789\r\n".repeat(5_000_000 / 22);
            }
        },
        LONG_HEADS("body of more than 100 parts", 100) {
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

    @ParameterizedTest
    @EnumSource
    void C015_isRefusedAtItsLimit(Flood flood) throws Exception {
        var body = flood.body() + "--B--";
        try (var server = new UploadServer(directory, uploads -> uploads.totalBytesMax(1 << 30), http -> http);
                var tasks = Supervisor.open("client")) {
            server.working((uploads, exchange) -> {
                uploads.eachPart(
                        exchange, part -> assertThat(server.partFiles()).hasSize(1));
                return Response.ok().empty();
            });
            server.assertAlive();
            var mark = Ledger.ofThisJvm().mark();
            var before = usedBytes();
            Task<Boolean> sending;
            try (var client = server.connect()) {
                sending = tasks.fork("send", () -> sendUntilRefused(client, body));
                var answer = client.read();
                assertThat(answer.status()).isEqualTo(413);
                assertThat(answer.body()).contains(flood.refusal);
                assertThat(answer.closes()).isTrue();
                assertThat(client.isEndedByFin()).isTrue();
            }
            sending.join();
            assertThat(server.awaitRetirement()).isEmpty();
            assertThat(server.uploads().counts()).containsEntry("parts", (long) flood.partsBefore);
            assertThat(usedBytes() - before).isLessThan(GROWTH_BYTES_MAX);
            server.assertBase(mark);
            server.assertAlive();
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

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
