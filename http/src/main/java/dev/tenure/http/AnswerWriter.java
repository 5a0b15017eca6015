package dev.tenure.http;

import dev.tenure.core.Scope;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.flow.ExchangePort;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/// Writes the pieces of one answer: gathers small writes, and waits where the client is slow.
///
/// **Limits:** pieces of 16 KiB.
final class AnswerWriter extends OutputStream implements BodyWriter {
    private static final int PIECE_BYTES = 16_384;

    private final ExchangePort port;
    private byte[] gathered = new byte[1024];
    private int length;

    AnswerWriter(ExchangePort port) {
        this.port = port;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        Objects.checkFromIndexSize(from, count, bytes.length);
        int at = from;
        int left = count;
        while (left > 0) {
            int part = Math.min(left, PIECE_BYTES - length);
            room(length + part);
            System.arraycopy(bytes, at, gathered, length, part);
            length += part;
            at += part;
            left -= part;
            if (length == PIECE_BYTES) {
                flush();
            }
        }
    }

    private void room(int bytes) {
        if (gathered.length < bytes) {
            gathered = Arrays.copyOf(gathered, Math.min(PIECE_BYTES, Math.max(bytes, 4 * gathered.length)));
        }
    }

    @Override
    public void flush() throws IOException {
        if (length == 0) {
            return;
        }
        var piece = new Piece(gathered, 0, length);
        gathered = new byte[gathered.length];
        length = 0;
        give(port, piece);
    }

    /// Gives a piece; fails as a cancel if there was one.
    static void give(ExchangePort port, Piece piece) throws IOException {
        Scope.innermost().ifPresent(Scope::checkpoint);
        try {
            if (!port.write(piece)) {
                Scope.innermost().ifPresent(Scope::checkpoint);
                throw new IOException("the client takes no more of the answer");
            }
        } catch (InterruptedException interrupt) {
            throw ServedBody.interrupted(interrupt);
        }
    }

    @Override
    public void close() throws IOException {
        flush();
    }

    @Override
    public OutputStream stream() {
        return this;
    }

    @Override
    public boolean stopping() {
        return port.stopping();
    }
}
