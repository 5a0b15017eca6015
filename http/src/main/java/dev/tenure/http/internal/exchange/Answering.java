package dev.tenure.http.internal.exchange;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tenure.http.internal.exchange.Action.BodyFault;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.wire.HeadEncoder.Persistence;
import dev.tenure.http.internal.wire.OutFraming;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.ResponseHead;

/// The response side of an engine: framing, what is said about the connection, and answers that are the engine's own.
final class Answering {
    private static final String[] TEXT = {"Content-Type", "text/plain; charset=utf-8"};
    private static final byte[] DRAINING = "event: draining\ndata: {}\n\n".getBytes(US_ASCII);
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(US_ASCII);

    private final ConnectionState s;

    Answering(ConnectionState state) {
        this.s = state;
    }

    /// The whole answer at once.
    void whole(CurrentExchange x, ResponseHead head, Piece body) {
        boolean none = x.isHead() || head.bodiless();
        begin(x, head, none ? OutFraming.NONE : OutFraming.LENGTH);
        if (!none && body.length() > 0) {
            s.act(new Action.WriteBytes(body, false));
        }
        answered(x);
    }

    /// The head of an answer in pieces.
    void begin(CurrentExchange x, ResponseHead head, Flow flow) {
        begin(x, head, framing(x, head));
        x.flow = flow;
        x.lengthLeft = head.contentLength();
        if (x.awaitingContinue) {
            s.failBody(x, BodyFault.NOT_ASKED);
        }
        if (flow == Flow.EVENTS && s.draining) {
            endEvents(x);
        }
    }

    private static OutFraming framing(CurrentExchange x, ResponseHead head) {
        if (x.isHead() || head.bodiless()) {
            return OutFraming.NONE;
        }
        if (head.contentLength() >= 0) {
            return OutFraming.LENGTH;
        }
        return x.head.http11() ? OutFraming.CHUNKED : OutFraming.UNTIL_CLOSE;
    }

    private void begin(CurrentExchange x, ResponseHead head, OutFraming framing) {
        x.headOut = true;
        x.framing = framing;
        x.close = s.isStopping()
                || s.inputEnded
                || head.close()
                || !x.head.keepAlive()
                || x.neverAsked()
                || framing == OutFraming.UNTIL_CLOSE
                || !bodyEndsSoon(x);
        s.wrote();
        s.act(new Action.WriteHead(head, framing, persistence(x)));
    }

    private static Persistence persistence(CurrentExchange x) {
        if (x.close) {
            return Persistence.CLOSE;
        }
        return x.head.http11() ? Persistence.SILENT : Persistence.KEEP;
    }

    /// Whether what is left of the request body may be waited for, so that the connection can be used again.
    private boolean bodyEndsSoon(CurrentExchange x) {
        if (x.body.done()) {
            return true;
        }
        long left = x.body.remaining();
        return !x.awaitingContinue
                && left >= 0
                && left <= s.limits.sizes().discardMax()
                && x.body.refusal().isEmpty();
    }

    /// A piece of the body. More than was announced is never sent.
    void bytes(CurrentExchange x, Piece piece) {
        if (piece.length() == 0 || x.framing == OutFraming.NONE) {
            return;
        }
        if (x.framing == OutFraming.LENGTH) {
            x.lengthLeft -= piece.length();
            if (x.lengthLeft < 0) {
                broken(x);
                return;
            }
        }
        s.wrote();
        s.act(new Action.WriteBytes(piece, x.framing == OutFraming.CHUNKED));
    }

    /// The end of an answer in pieces. Less than was announced is not passed off as whole.
    void end(CurrentExchange x) {
        if (x.framing == OutFraming.LENGTH && x.lengthLeft != 0) {
            broken(x);
            return;
        }
        if (x.framing == OutFraming.CHUNKED) {
            s.wrote();
            s.act(new Action.WriteLastChunk());
        }
        answered(x);
    }

    /// An answer that can't be completed: the client must see that.
    void broken(CurrentExchange x) {
        x.answered = true;
        x.close = true;
        s.gone = true;
        s.failBody(x, BodyFault.GONE);
        s.abort();
    }

    private void answered(CurrentExchange x) {
        x.answered = true;
        x.flow = null;
        x.delivering = false;
        s.lastActivity = s.now;
        if (!x.body.done()) {
            x.lastBodyByte = s.now;
            s.startReading();
        }
    }

    /// The last event of a stream that a stop ends.
    void endEvents(CurrentExchange x) {
        x.close = true;
        bytes(x, Piece.of(DRAINING));
        end(x);
        x.own = true;
        s.cancel(x, Cause.DRAINED);
    }

    void heartbeat(CurrentExchange x) {
        bytes(x, Piece.of(HEARTBEAT));
    }

    /// Gives an answer of the engine's own, without internals, after which the connection ends. If a head is out
    /// already, there is nothing left but to break off.
    void refuse(CurrentExchange x, Refusal why, Cause cause) {
        if (x.answered) {
            return;
        }
        if (x.headOut) {
            s.cancel(x, cause);
            broken(x);
            return;
        }
        s.act(new Action.Refused(why.status(), why.why()));
        s.cancel(x, cause);
        s.failBody(x, cause == Cause.PEER_FAULT ? BodyFault.MALFORMED : BodyFault.GONE);
        whole(x, head(why).closing(), Piece.of(why.body()));
    }

    private static ResponseHead head(Refusal why) {
        return new ResponseHead(why.status(), TEXT, why.body().length);
    }

    /// Refuses what is not even a request.
    void refuseHead(Refusal why) {
        s.wrote();
        s.act(new Action.Refused(why.status(), why.why()));
        s.act(new Action.WriteHead(head(why), OutFraming.LENGTH, Persistence.CLOSE));
        s.act(new Action.WriteBytes(Piece.of(why.body()), false));
        s.act(new Action.ShutdownOutput());
        s.linger();
    }
}
