package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.Exchange;
import dev.tenure.http.JsonCodec;
import dev.tenure.http.Response;
import dev.tenure.it.Counts;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import dev.tenure.uploads.Part;
import dev.tenure.uploads.Uploads;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// C011: user code throws before, in or after the callback; with and without an unlink that fails.
@ExtendWith(LeakCheck.class)
class C011_FailuresAroundTheCallbackTest {
    private static final int ROUNDS = Counts.of(5, 50);
    private static final String BODY = Client.part("photo", "x".repeat(100_000)) + "--B--";

    @TempDir
    Path directory;

    private final List<Path> seen = new CopyOnWriteArrayList<>();

    /// Where user code fails.
    enum Variant {
        RUNTIME_EXCEPTION,
        STACK_OVERFLOW,
        BEFORE_THE_CALLBACK,
        RESPONSE_ENCODER
    }

    private UploadServer server() {
        return new UploadServer(directory, uploads -> uploads, http -> http.json(new FailingCodec()));
    }

    private static final class FailingCodec implements JsonCodec {
        @Override
        public byte[] write(Object value) {
            throw new IllegalStateException("encoder");
        }

        @Override
        public <T> T read(byte[] json, Class<T> type) {
            throw new IllegalStateException("decoder");
        }
    }

    @ParameterizedTest
    @EnumSource
    void C011_fileIsGoneAndTheFirstFailureIsSeen(Variant variant) throws Exception {
        try (var server = server()) {
            server.working((uploads, exchange) -> upload(uploads, exchange, variant, false));
            var mark = Ledger.ofThisJvm().mark();
            for (var round = 0; round < ROUNDS; round++) {
                assertRefused(server);
                assertThat(server.awaitRetirement()).isEmpty();
                assertFirstFailure(server.logged(), variant);
                assertThat(server.logged()).hasSize(1).allMatch(failure -> failure.getSuppressed().length == 0);
                server.logged().clear();
            }
            assertThat(seen)
                    .hasSize(variant == Variant.BEFORE_THE_CALLBACK ? 0 : ROUNDS)
                    .noneMatch(Files::exists);
            server.assertBase(mark);
            server.assertAlive();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Variant.class,
            names = {"RUNTIME_EXCEPTION", "STACK_OVERFLOW"})
    void C011_unlinkThatFailsToo_isAttachedAndCounted(Variant variant) throws Exception {
        try (var server = server()) {
            server.working((uploads, exchange) -> upload(uploads, exchange, variant, true));
            for (var round = 1; round <= ROUNDS; round++) {
                assertRefused(server);
                assertThat(server.awaitRetirement()).as("not gone, and seen").hasSize(round);
                assertThat(server.uploads().counts()).containsEntry("temp_files_left", (long) round);
                var told = server.logged();
                assertFirstFailure(List.of(told.getLast()), variant);
                assertThat(told.getFirst())
                        .hasMessageContaining("part file " + seen.getLast())
                        .hasCauseInstanceOf(DirectoryNotEmptyException.class);
                if (variant != Variant.STACK_OVERFLOW) { // the JVM makes that one without room for suppressed failures
                    assertThat(told.getLast().getSuppressed())
                            .hasAtLeastOneElementOfType(DirectoryNotEmptyException.class);
                }
                told.clear();
            }
            server.assertAlive();
        }
        assertThat(seen)
                .as("gone with the directory of the process")
                .hasSize(ROUNDS)
                .noneMatch(Files::exists);
    }

    @Test
    void C011_unlinkThatFailsAfterASuccess_takesNoAnswerAwayAndIsCounted() throws Exception {
        try (var server = server();
                var client = server.connect()) {
            server.working((uploads, exchange) -> uploads.onePart(exchange, "photo", part -> {
                makeUndeletable(part);
                return Response.created("/1").empty();
            }));
            assertThat(client.post(BODY).status()).isEqualTo(201);
            server.awaitRetirement();
            assertThat(server.uploads().counts()).containsEntry("temp_files_left", 1L);
            assertThat(server.logged())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure).hasMessageContaining("could not be removed"));
        }
    }

    private static void assertRefused(UploadServer server) throws IOException {
        try (var client = server.connect()) {
            var answer = client.post(BODY);
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).as("no internals").doesNotContain("callback", "encoder", "Exception");
        }
    }

    private static void assertFirstFailure(List<Throwable> logged, Variant variant) {
        var type = variant == Variant.STACK_OVERFLOW ? StackOverflowError.class : IllegalStateException.class;
        assertThat(logged).first().isInstanceOf(type);
    }

    private Response upload(Uploads uploads, Exchange exchange, Variant variant, boolean undeletable) throws Exception {
        if (variant == Variant.BEFORE_THE_CALLBACK) {
            throw new IllegalStateException("before the callback");
        }
        return uploads.onePart(exchange, "photo", part -> {
            seen.add(part.file());
            if (undeletable) {
                makeUndeletable(part);
            }
            return switch (variant) {
                case STACK_OVERFLOW -> Response.ok().text("depth " + deeper(1));
                case RESPONSE_ENCODER -> Response.ok().json(part.name());
                default -> throw new IllegalStateException("callback");
            };
        });
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack is full
    private static long deeper(long depth) {
        return 1 + deeper(depth + 1);
    }

    /// A directory that is not empty stands where the file was: no unlink removes it.
    private static void makeUndeletable(Part part) throws IOException {
        Files.delete(part.file());
        Files.createDirectory(part.file());
        Files.writeString(part.file().resolve("inner"), "x");
    }
}
