package dev.tenure.uploads;

import dev.tenure.core.Scope;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.uploads.internal.Boundary;
import dev.tenure.uploads.internal.Event;
import dev.tenure.uploads.internal.MultipartLimits;
import dev.tenure.uploads.internal.MultipartParser;
import dev.tenure.uploads.internal.PartHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/// One body on its way from the client to part files and callbacks; the part files belong to scopes of their own.
final class Upload implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final Exchange exchange;
    private final MultipartLimits limits;
    private final PartFiles files;
    private final LiveParts live;

    Upload(Exchange exchange, MultipartLimits limits, PartFiles files, LiveParts live) {
        this.exchange = exchange;
        this.limits = limits;
        this.files = files;
        this.live = live;
    }

    void eachPart(PartConsumer consumer) throws Exception {
        var body = body();
        for (var head = body.nextPart(); head.isPresent(); head = body.nextPart()) {
            var part = new ReceivedPart(head.get());
            inScopeOf(part, () -> {
                body.receive(part);
                consumer.accept(part);
                return part;
            });
        }
    }

    Response onePart(String field, PartHandler handler) throws Exception {
        var body = body();
        for (var head = body.nextPart(); head.isPresent(); head = body.nextPart()) {
            if (head.get().name().equals(field)) {
                var part = new ReceivedPart(head.get());
                return inScopeOf(part, () -> {
                    body.receive(part);
                    body.expectNoOther(field);
                    return handler.handle(part);
                });
            }
            body.skip();
        }
        throw new MalformedMultipart("the field '" + printable(field) + "' is missing");
    }

    private static String printable(String field) {
        return field.replaceAll("\\p{Cntrl}", "?");
    }

    /// Runs the callback of a part in a scope that removes its file last. What fails first is thrown, a failed
    /// removal is suppressed under it; alone it takes no answer away, since the callback has succeeded.
    private <R> R inScopeOf(ReceivedPart part, Callback<R> callback) throws Exception {
        var around = Scope.current();
        try (var scope = Scope.open("part of " + exchange.route())) {
            part.writtenTo(scope.acquire(files.type, this::create).get());
            return callback.run();
        } catch (Throwable primary) {
            part.removalFailure().ifPresent(primary::addSuppressed);
            throw primary;
        } finally {
            part.leaveTo(files, around);
        }
    }

    @FunctionalInterface
    private interface Callback<R> {
        R run() throws Exception;
    }

    private PartFile create() {
        try {
            var file = Scope.shielded(files::create);
            live.created(file);
            return file;
        } catch (IOException e) {
            throw files.fault(files.directory(), 0, e);
        }
    }

    private Body body() {
        var announced = exchange.contentLength();
        if (announced > limits.totalBytesMax()) {
            throw new UploadTooLarge("the body has more than %d bytes".formatted(limits.totalBytesMax()));
        }
        var type = exchange.header("content-type").orElse("");
        return switch (Boundary.read(type)) {
            case Boundary.Valid valid ->
                new Body(exchange.body().stream(), new MultipartParser(valid.boundary(), limits));
            case Boundary.Invalid invalid -> throw new MalformedMultipart(invalid.why());
            case Boundary.OtherType _ -> throw new NotMultipart("the body must be multipart/form-data");
        };
    }

    @Override
    public void close() {
        live.exit(this);
    }

    /// The body, pulled through the parser.
    private final class Body {
        private final InputStream bytes;
        private final MultipartParser parser;
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private ByteBuffer unread = ByteBuffer.allocate(0);
        private boolean ended;

        Body(InputStream bytes, MultipartParser parser) {
            this.bytes = bytes;
            this.parser = parser;
        }

        /// The next part's head; empty at the end of the body.
        Optional<PartHead> nextPart() throws IOException {
            return switch (next()) {
                case Event.PartBegan began -> Optional.of(began.head());
                case Event.Finished _ -> Optional.empty();
                case Event other -> throw new IllegalStateException("multipart: " + other + " between two parts");
            };
        }

        void receive(ReceivedPart part) throws IOException {
            var scope = Scope.current();
            for (var event = next(); event instanceof Event.PartBytes content; event = next()) {
                part.write(files, content.bytes());
                scope.checkpoint();
            }
            part.complete(files);
        }

        void skip() throws IOException {
            while (next() instanceof Event.PartBytes) {
                Scope.current().checkpoint();
            }
        }

        /// Reads on to the end of the body, so that what a handler does is done for a whole one.
        void expectNoOther(String field) throws IOException {
            for (var head = nextPart(); head.isPresent(); head = nextPart()) {
                if (head.get().name().equals(field)) {
                    throw new MalformedMultipart("the field '" + printable(field) + "' is there twice");
                }
                skip();
            }
        }

        private Event next() throws IOException {
            while (true) {
                var event = ended ? parser.end() : parser.next(unread);
                if (event instanceof Event.Refused refused) {
                    throw switch (refused.kind()) {
                        case MALFORMED -> new MalformedMultipart(refused.why());
                        case TOO_LARGE -> new UploadTooLarge(refused.why());
                    };
                }
                if (!(event instanceof Event.NeedMore)) {
                    return event;
                }
                fill();
            }
        }

        private void fill() throws IOException {
            var n = bytes.read(chunk);
            ended = n < 0;
            unread = ByteBuffer.wrap(chunk, 0, Math.max(0, n));
        }
    }
}
