package dev.tenure.sim;

import dev.tenure.core.Scope;
import dev.tenure.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// A body that comes in three pieces; at each the client may be gone, or the exchange cancelled.
///
/// **Owner:** its exchange. **Threads:** one.
final class FakeBody extends InputStream implements RequestBody {
    private static final int PIECES = 3;
    private static final String NAME = "request body";

    private final byte[] content;
    private int position;

    FakeBody(byte[] content) {
        this.content = content;
    }

    @Override
    public InputStream stream() {
        return this;
    }

    @Override
    public <T> T json(Class<T> type) {
        throw new UnsupportedOperationException("json: the sim has no codec: give the handler the parsed value");
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, into.length);
        if (length == 0) {
            return 0;
        }
        Points.before("read", NAME, FakeBody::gone);
        Scope.innermost().ifPresent(Scope::checkpoint);
        int left = content.length - position;
        if (left == 0) {
            return -1;
        }
        int piece = Math.min(length, Math.min(left, content.length / PIECES + 1));
        System.arraycopy(content, position, into, from, piece);
        position += piece;
        Points.after("read", NAME, FakeBody::gone);
        return piece;
    }

    private static IOException gone(Exception fault) {
        return new IOException("the client went before its body was complete", fault);
    }
}
