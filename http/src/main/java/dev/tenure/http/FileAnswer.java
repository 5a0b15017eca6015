package dev.tenure.http;

import dev.tenure.core.Scope;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.files.ByteRange;
import dev.tenure.http.internal.files.Validators;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.ResponseHead;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Optional;

/// Sends an open file, whole or in one range. A file that gets shorter on the way breaks the answer off.
///
/// Its channel is read where no interrupt reaches it, since one would close it for others who share it.
final class FileAnswer {
    private static final int READ_BYTES = 16_384;

    private final ServedExchange exchange;
    private final ResponseHead head;

    FileAnswer(ServedExchange exchange, ResponseHead head) {
        this.exchange = exchange;
        this.head = head;
    }

    Optional<HandlerRun.Pending> send(SeekableByteChannel file, HandlerRun run) throws IOException {
        long size = file.size();
        return switch (range(size)) {
            case ByteRange.Whole _ ->
                send(file, run, new ByteRange.Part(0, size), head.as(head.status(), size, "Accept-Ranges", "bytes"));
            case ByteRange.Part part -> {
                String range = "bytes %d-%d/%d".formatted(part.from(), part.to() - 1, size);
                yield send(file, run, part, head.as(206, part.to() - part.from(), "Content-Range", range));
            }
            case ByteRange.Unsatisfiable _ -> {
                var why = new Refusal(416, "the range has none of the %d bytes that there are".formatted(size));
                String[] fields = {"Content-Type", "text/plain; charset=utf-8", "Content-Range", "bytes */" + size};
                yield run.whole(new ResponseHead(416, fields, why.body().length), Piece.of(why.body()));
            }
        };
    }

    private ByteRange range(long size) {
        var asked = exchange.head().header("Range");
        boolean applies = asked.isPresent()
                && head.status() == 200
                && exchange.method().equals("GET")
                && Validators.of(head).allowsRange(exchange.head());
        return applies ? ByteRange.parse(asked.get(), size) : new ByteRange.Whole();
    }

    private Optional<HandlerRun.Pending> send(
            SeekableByteChannel file, HandlerRun run, ByteRange.Part part, ResponseHead answer) throws IOException {
        if (answer.contentLength() <= READ_BYTES && !exchange.isHead()) {
            return run.whole(answer, Piece.of(read(file, part.from(), (int) answer.contentLength())));
        }
        return run.stream(answer, _ -> copy(file, part));
    }

    private void copy(SeekableByteChannel file, ByteRange.Part part) throws IOException {
        long at = part.from();
        while (at < part.to()) {
            byte[] piece = read(file, at, (int) Math.min(READ_BYTES, part.to() - at));
            AnswerWriter.give(exchange.port(), Piece.of(piece));
            at += piece.length;
        }
    }

    private static byte[] read(SeekableByteChannel file, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        var buffer = ByteBuffer.wrap(bytes);
        Scope.shielded(() -> {
            file.position(from);
            while (buffer.hasRemaining() && file.read(buffer) >= 0) {
                // until it is full or the file ends
            }
            return bytes;
        });
        if (buffer.hasRemaining()) {
            throw new EOFException("the file became shorter while it was sent: %d of %d bytes at %d"
                    .formatted(buffer.position(), length, from));
        }
        return bytes;
    }
}
