package dev.tenure.http;

import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Reason;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.flow.BodyPipe;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.wire.HeadFields;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The exchange of a call: its body is at hand, its answer is gathered. What comes after a cancel is dropped, as on a
/// connection.
///
/// **Owner:** the call. **Threads:** the caller's. **Limits:** so many bytes of an answer as it was made for.
final class CallPort implements ExchangePort {
    /// What became of the answer.
    sealed interface Outcome {
        /// It is here.
        record Whole(HttpCalls.Answer answer) implements Outcome {}

        /// It was larger than there is room.
        record TooMuch() implements Outcome {}

        /// Its handler was cancelled.
        record Cancelled(Refusal why) implements Outcome {}

        /// It broke off.
        record Broken() implements Outcome {}
    }

    private final byte[] request;
    private final Optional<InetSocketAddress> peer;
    private final int bytesMax;
    private final BooleanSupplier stopping;
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private @Nullable ExecutionCancellation limit;
    private @Nullable ResponseHead streamed;
    private int read;
    private Outcome outcome = new Outcome.Broken();

    CallPort(byte[] request, Optional<InetSocketAddress> peer, int bytesMax, BooleanSupplier stopping) {
        this.request = request;
        this.peer = peer;
        this.bytesMax = bytesMax;
        this.stopping = stopping;
    }

    void within(ExecutionCancellation cancellation) {
        limit = cancellation;
    }

    int bodyBytes() {
        return request.length;
    }

    Outcome outcome() {
        return outcome;
    }

    private Optional<Reason> cancelled() {
        return limit == null ? Optional.empty() : limit.reason();
    }

    @Override
    public BodyPipe.Read read(byte[] into, int from, int length) {
        int count = Math.min(length, request.length - read);
        if (count == 0) {
            return new BodyPipe.Read.End();
        }
        System.arraycopy(request, read, into, from, count);
        read += count;
        return new BodyPipe.Read.Bytes(count);
    }

    @Override
    public void answer(ResponseHead head, Piece body) {
        byte[] whole = Arrays.copyOfRange(body.bytes(), body.from(), body.to());
        given(head, whole);
    }

    private void given(ResponseHead head, byte[] body) {
        outcome = new Outcome.Whole(new HttpCalls.Answer(head.status(), HeadFields.of(head), body));
        cancelled().ifPresent(this::refuse);
    }

    private void refuse(Reason why) {
        boolean late = why.kind() == Reason.Kind.DEADLINE;
        outcome = new Outcome.Cancelled(
                late
                        ? new Refusal(504, "the handler was not done in time")
                        : new Refusal(503, "the handler was cancelled by " + why.kind()));
    }

    @Override
    public void answerAndEnd(ResponseHead head, Piece body) {
        answer(head, body);
    }

    @Override
    public void begin(ResponseHead head, Flow flow) {
        if (flow == Flow.EVENTS) {
            throw new HttpStatusException(
                    501, "events need a connection that stays open, and a call has one answer: ask a server for them");
        }
        streamed = head;
    }

    @Override
    public boolean write(Piece piece) {
        if (gathered.size() + (long) piece.length() > bytesMax) {
            outcome = new Outcome.TooMuch();
            return false;
        }
        gathered.write(piece.bytes(), piece.from(), piece.length());
        return true;
    }

    @Override
    public void finish() {
        if (outcome instanceof Outcome.TooMuch) {
            return;
        }
        var head = Objects.requireNonNull(streamed, "a stream ended before its head");
        given(head, gathered.toByteArray());
    }

    @Override
    public void fail() {
        ended();
    }

    @Override
    public void ended() {
        if (outcome instanceof Outcome.Broken) {
            cancelled().ifPresent(this::refuse);
        }
    }

    @Override
    public Optional<InetSocketAddress> peer() {
        return peer;
    }

    @Override
    public boolean stopping() {
        return stopping.getAsBoolean();
    }
}
