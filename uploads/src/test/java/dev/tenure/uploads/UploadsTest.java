package dev.tenure.uploads;

import static dev.tenure.uploads.FakeExchange.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenure.core.Cancelled;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.http.HttpStatusException;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(LeakCheck.class)
class UploadsTest {
    @TempDir
    Path directory;

    private final List<Throwable> observed = new CopyOnWriteArrayList<>();
    private Host host;
    private Uploads uploads;

    @BeforeEach
    void open() {
        host = Host.named("test")
                .signals(false)
                .observer(new Observer() {
                    @Override
                    public void failed(String owner, Throwable failure) {
                        observed.add(failure);
                    }
                })
                .start();
        uploads = own(builder -> builder);
    }

    private Uploads own(UnaryOperator<UploadsBuilder> settings) {
        return host.own(settings.apply(Uploads.in(directory)));
    }

    @AfterEach
    void close() {
        host.close();
        assertThat(files()).isEmpty();
    }

    /// All files but the lock files of living processes.
    private List<Path> files() {
        try (var walk = Files.walk(directory)) {
            return walk.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".lock"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void onePart_handsOverAWholePrivateFile_andItIsGoneAfterwards() throws Exception {
        var seen = new ArrayList<Path>();
        try (var scope = Scope.open("exchange")) {
            var body = part("other", "dropped") + part("photo", "content") + part("more", "") + "--B--\r\n";
            var answer = uploads.onePart(FakeExchange.multipart(body), "photo", part -> {
                assertThat(part.file())
                        .hasContent("content")
                        .hasParentRaw(files().getFirst().getParent());
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part.file())))
                        .isEqualTo("rw-------");
                assertThat(part.file().getFileName().toString()).matches("[0-9a-f]{48}");
                assertThat(part.name()).isEqualTo("photo");
                assertThat(part.filename()).contains("../../photo");
                assertThat(part.contentType()).isEqualTo("image/jpeg");
                assertThat(part.size()).isEqualTo(7);
                assertThat(files()).containsExactly(part.file());
                seen.add(part.file());
                return Response.created("/1").empty();
            });
            assertThat(answer.status()).isEqualTo(201);
            assertThat(seen.getFirst()).doesNotExist();
            assertThat(scope.name()).isEqualTo("exchange");
        }
        assertThat(uploads.counts()).containsEntry("parts", 1L).containsEntry("temp_files_left", 0L);
    }

    @Test
    void eachPart_removesAFileBeforeTheNextCallback() throws Exception {
        var names = new ArrayList<String>();
        var kept = new ArrayList<Part>();
        try (var _ = Scope.open("exchange")) {
            uploads.eachPart(
                    FakeExchange.multipart(part("a", "1") + part("b", "") + part("a", "3") + "--B--"), part -> {
                        assertThat(files()).containsExactly(part.file());
                        names.add(part.name() + Files.readString(part.file()));
                        kept.add(part);
                    });
        }
        assertThat(names).containsExactly("a1", "b", "a3");
        assertThatThrownBy(kept.getFirst()::file)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("copy or publish it inside the callback");
    }

    @Test
    void callback_thatMovesItsFileAway_keepsIt() throws Exception {
        var kept = directory.resolve("kept");
        try (var _ = Scope.open("exchange")) {
            uploads.eachPart(
                    FakeExchange.multipart(part("a", "content") + "--B--"), part -> Files.move(part.file(), kept));
        }
        assertThat(kept).hasContent("content");
        Files.delete(kept);
        assertThat(uploads.counts()).containsEntry("removal_failures", 0L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | the field 'photo' is missing | a",
                "400 | the field 'photo' is there twice | photo,photo",
                "400 | the field 'photo' is missing | ''"
            })
    void onePart_withoutExactlyThatField_isRefusedBeforeTheHandler(int status, String message, String fields) {
        var body = new StringBuilder();
        for (var field : fields.split(",", -1)) {
            body.append(field.isEmpty() ? "" : part(field, "x"));
        }
        assertRefused(FakeExchange.multipart(body + "--B--"), status, message, MalformedMultipart.class);
    }

    @Test
    void onePart_ofABodyCutShort_isRefusedBeforeTheHandler() {
        var body = part("photo", "complete") + part("other", "cut short");
        assertRefused(
                FakeExchange.multipart(body),
                400,
                "the body ends before its closing boundary",
                MalformedMultipart.class);
    }

    @Test
    void body_ofAnotherType_is415() {
        assertRefused(FakeExchange.untyped(), 415, "the body must be multipart/form-data", NotMultipart.class);
        var json = FakeExchange.of("application/json", InputStream.nullInputStream(), 0);
        assertRefused(json, 415, "the body must be multipart/form-data", NotMultipart.class);
        var broken = FakeExchange.of("multipart/form-data", InputStream.nullInputStream(), 0);
        assertRefused(broken, 400, "the Content-Type has no boundary", MalformedMultipart.class);
    }

    private void assertRefused(FakeExchange exchange, int status, String detail, Class<? extends Throwable> cause) {
        try (var _ = Scope.open("exchange")) {
            assertThatThrownBy(() -> uploads.onePart(exchange, "photo", part -> {
                        throw new AssertionError("called");
                    }))
                    .isInstanceOfSatisfying(
                            HttpStatusException.class,
                            answer -> assertThat(answer.status()).isEqualTo(status))
                    .hasMessage(detail)
                    .hasCauseInstanceOf(cause);
        }
        assertThat(files()).isEmpty();
        assertThat(uploads.holders()).isEmpty();
    }

    @Test
    void body_announcedTooLong_isRefusedUnread() {
        var unreadable = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("read");
            }

            @Override
            public int read(byte[] into, int from, int length) {
                throw new AssertionError("read");
            }
        };
        assertRefused(
                FakeExchange.multipart(unreadable, 9 << 20),
                413,
                "the body has more than 8388608 bytes",
                UploadTooLarge.class);
    }

    @Test
    void part_overItsLimit_is413AndItsFileIsGone() {
        uploads = own(builder -> builder.named("small").partBytesMax(100_000).totalBytesMax(500_000));
        assertRefused(
                FakeExchange.multipart(part("photo", "x".repeat(100_001)) + "--B--"),
                413,
                "part 1 has more than 100000 bytes",
                UploadTooLarge.class);
    }

    @Test
    void directory_thatCannotBe_isToldOnce() throws IOException {
        var file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> host.own(Uploads.in(file).named("taken")))
                .hasMessage(
                        "taken.directory: %s (expected: a directory that can be made and written; %s)",
                        file, "a file is in its place");
        Files.delete(file);
    }

    @Test
    void part_overItsLimit_isToldInTheGivenSentence() {
        uploads = own(builder -> builder.named("told").partBytesMax(1_000, "a photo may have at most 1 kB"));
        assertRefused(
                FakeExchange.multipart(part("photo", "x".repeat(1_001)) + "--B--"),
                413,
                "a photo may have at most 1 kB",
                UploadTooLarge.class);
        assertThatThrownBy(() -> Uploads.in(directory).partBytesMax(1_000, "two\nlines"))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageEndingWith("(expected: one line, not blank)");
    }

    @Test
    void callback_thatThrows_losesItsFileAndPassesItsFailureOn() {
        for (var failure : List.of(new IllegalStateException("mine"), new StackOverflowError("mine"))) {
            try (var _ = Scope.open("exchange")) {
                var thrown = catchThrowable(() -> uploads.onePart(
                        FakeExchange.multipart(part("photo", "x") + "--B--"), "photo", part -> rethrow(failure)));
                assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
            }
            assertThat(files()).isEmpty();
        }
    }

    private static Response rethrow(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    @Test
    void removal_thatFails_isSuppressedUnderTheFirstFailureAndCounted() throws Exception {
        var stuck = new ArrayList<Path>();
        try (var scope = Scope.open("exchange")) {
            var thrown =
                    catchThrowable(() -> uploads.eachPart(FakeExchange.multipart(part("a", "x") + "--B--"), part -> {
                        stuck.add(makeUndeletable(part.file()));
                        throw new IllegalStateException("mine");
                    }));
            assertThat(thrown).hasMessage("mine");
            assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(DirectoryNotEmptyException.class);
            assertThat(uploads.counts()).containsEntry("removal_failures", 1L).containsEntry("temp_files_left", 1L);
            assertThat(observed)
                    .singleElement()
                    .satisfies(told -> assertThat(told).hasMessageContaining("part file " + stuck.getFirst()));
            Files.delete(stuck.getFirst().resolve("inner"));
            assertThat(scope.name()).isEqualTo("exchange");
        }
        assertThat(stuck.getFirst()).doesNotExist();
        assertThat(uploads.counts()).containsEntry("temp_files_left", 0L);
    }

    @Test
    void removal_thatFailsAfterASuccess_takesNoAnswerAway() throws Exception {
        try (var _ = Scope.open("exchange")) {
            var answer = uploads.onePart(FakeExchange.multipart(part("photo", "x") + "--B--"), "photo", part -> {
                makeUndeletable(part.file());
                return Response.ok().empty();
            });
            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(uploads.counts()).containsEntry("removal_failures", 2L).containsEntry("temp_files_left", 1L);
        assertThat(uploads.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(uploads.counts()).containsEntry("temp_files_left", 0L);
        assertThat(files()).isEmpty();
    }

    /// A directory that is not empty stands where the file was: no unlink removes it.
    private static Path makeUndeletable(Path file) throws IOException {
        Files.delete(file);
        Files.createDirectory(file);
        Files.writeString(file.resolve("inner"), "x");
        return file;
    }

    @Test
    void cancel_inTheCallback_endsItsCleanupsThenTheFile() throws Exception {
        var order = new CopyOnWriteArrayList<String>();
        var inCallback = new CountDownLatch(1);
        try (var tasks = Supervisor.open("test")) {
            var task = tasks.fork("exchange", () -> {
                Scope.current().own(ResourceType.<String>of("exchange", _ -> order.add("exchange")), "x");
                uploads.eachPart(FakeExchange.multipart(part("a", "x") + "--B--"), part -> {
                    var cleanup =
                            ResourceType.<Path>of("cleanup", file -> order.add("cleanup, file " + Files.exists(file)));
                    Scope.current().own(cleanup, part.file());
                    inCallback.countDown();
                    new CountDownLatch(1).await();
                });
                return true;
            });
            inCallback.await();
            assertThat(uploads.holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.where()).isEqualTo("POST /photos"));
            task.cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        }
        assertThat(order).containsExactly("cleanup, file true", "exchange");
        assertThat(files()).isEmpty();
    }

    @Test
    void cancel_inTheMiddleOfAPart_callsNobodyAndLeavesNoFile() throws Exception {
        var called = new ArrayList<String>();
        var blocked = new CountDownLatch(1);
        var start = (part("a", "x") + part("b", "y".repeat(200_000))).getBytes(StandardCharsets.ISO_8859_1);
        var body = new SequenceInputStream(new ByteArrayInputStream(start, 0, 150_000), new Blocking(blocked));
        try (var tasks = Supervisor.open("test")) {
            var task = tasks.fork("exchange", () -> {
                uploads.eachPart(FakeExchange.multipart(body, -1), part -> called.add(part.name()));
                return true;
            });
            blocked.await();
            assertThat(files()).hasSize(1);
            task.cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        }
        assertThat(called).containsExactly("a");
        assertThat(files()).isEmpty();
    }

    /// A client that sends nothing more.
    private static final class Blocking extends InputStream {
        private final CountDownLatch reached;

        Blocking(CountDownLatch reached) {
            this.reached = reached;
        }

        @Override
        public int read() {
            return read(new byte[1], 0, 1);
        }

        @Override
        public int read(byte[] into, int from, int length) {
            reached.countDown();
            try {
                new CountDownLatch(1).await();
                return -1;
            } catch (InterruptedException e) {
                throw new Cancelled(Reason.of(Reason.Kind.REQUEST, "an interrupt"));
            }
        }
    }

    @Test
    void close_refusesNewUploads_andNamesWhoHoldsItUp() throws Exception {
        try (var _ = Scope.open("exchange")) {
            uploads.eachPart(FakeExchange.multipart(part("a", "x") + "--B--"), part -> {
                assertThat(uploads.close(Deadline.in(Duration.ZERO)))
                        .satisfies(report -> assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE))
                        .satisfies(report -> assertThat(report.pending()).isNotEmpty());
                assertThat(uploads.holders()).hasSize(1);
                assertThat(part.file()).exists();
            });
            assertThatThrownBy(() -> uploads.eachPart(FakeExchange.multipart("--B--"), part -> {}))
                    .isInstanceOfSatisfying(
                            HttpStatusException.class,
                            answer -> assertThat(answer.status()).isEqualTo(503))
                    .hasCauseInstanceOf(UploadsClosed.class);
        }
        assertThat(uploads.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
    }

    @Test
    void settings_outOfRange_areRefused() {
        var builder = Uploads.in(directory);
        assertThatThrownBy(() -> builder.partsMax(0))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("uploads.partsMax: 0 (expected: 1 to 10000)");
        assertThatThrownBy(() -> builder.partHeadBytesMax(10)).isInstanceOf(ConfigurationError.class);
        assertThatThrownBy(() -> builder.partBytesMax(-1)).isInstanceOf(ConfigurationError.class);
        assertThatThrownBy(() -> builder.totalBytesMax(0)).isInstanceOf(ConfigurationError.class);
        assertThatThrownBy(() -> own(other -> other.partBytesMax(1000).totalBytesMax(999)))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("uploads.totalBytesMax: 999 (expected: >= partBytesMax, 1000)");
    }

    @Test
    void open_belowAFile_isAConfigurationError() throws Exception {
        var file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> host.own(Uploads.in(file)))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("uploads.directory: " + file);
        Files.delete(file);
    }

    @Test
    void open_sweepsWhatADeadProcessLeft() throws Exception {
        var dead = Files.createDirectory(directory.resolve("p-1-0-00000000000000aa"));
        Files.createFile(directory.resolve("p-1-0-00000000000000aa.lock"));
        Files.writeString(dead.resolve("part"), "left");
        own(builder -> builder.named("second"));
        assertThat(dead).doesNotExist();
    }
}
