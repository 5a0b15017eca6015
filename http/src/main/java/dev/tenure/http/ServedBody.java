package dev.tenure.http;

import dev.tenure.core.Scope;
import dev.tenure.http.internal.exchange.Action.BodyFault;
import dev.tenure.http.internal.flow.BodyPipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/// The body of a served exchange.
final class ServedBody extends InputStream implements RequestBody {
    private final ServedExchange exchange;
    private final AtomicBoolean reading = new AtomicBoolean();

    ServedBody(ServedExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public InputStream stream() {
        return this;
    }

    @Override
    public <T> T json(Class<T> type) {
        return exchange.serving().json().read(bytes(), type);
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
        if (exchange.isOver()) {
            throw new IllegalStateException(
                    "the body of %s was read after its exchange: read it in the handler".formatted(exchange.route()));
        }
        if (!reading.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "the body of %s is read by two threads at once (expected: one reader)".formatted(exchange.route()));
        }
        try {
            return next(into, from, length);
        } finally {
            reading.set(false);
        }
    }

    private int next(byte[] into, int from, int length) throws IOException {
        try {
            return switch (exchange.port().read(into, from, length)) {
                case BodyPipe.Read.Bytes bytes -> bytes.count();
                case BodyPipe.Read.End _ -> -1;
                case BodyPipe.Read.Fault fault -> throw failed(fault.why());
            };
        } catch (InterruptedException interrupt) {
            throw interrupted(interrupt);
        }
    }

    /// A cancel is thrown as such; any other interrupt is somebody's wish and stays set.
    static InterruptedIOException interrupted(InterruptedException interrupt) {
        Scope.innermost().ifPresent(Scope::checkpoint);
        Thread.currentThread().interrupt();
        var failure = new InterruptedIOException("interrupted while waiting for the client");
        failure.initCause(interrupt);
        return failure;
    }

    private IOException failed(BodyFault why) {
        Scope.innermost().ifPresent(Scope::checkpoint);
        return switch (why) {
            case GONE -> new IOException("the client went before its body was complete");
            case MALFORMED -> throw new HttpStatusException(400, "the body is malformed");
            case TOO_LARGE -> throw exchange.served().bodyTooLarge();
            case NOT_ASKED -> new IOException("the body was not asked for before the answer began, so it never comes");
        };
    }
}
