package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.wire.BodyReader;
import dev.tenure.http.internal.wire.OutFraming;
import dev.tenure.http.internal.wire.RequestHead;
import org.jspecify.annotations.Nullable;

/// One request and its response, from the end of its head to its retirement.
///
/// **Owner:** one engine. **Ends:** when the answer is with the transport, the handler's task is over, and the
/// request body has ended or the connection does.
final class CurrentExchange {
    final int number;
    final RequestHead head;
    final Plan.@Nullable Task plan;
    final BodyReader body;
    final long deadline;

    // ---- the request body ----

    /// Its bytes go to the handler; else they are dropped.
    boolean delivering;

    /// The client waits for 100 before it sends.
    boolean awaitingContinue;

    /// Its handler has begun to read it.
    boolean wanted;

    long received;
    int queued;
    long lastBodyByte;

    // ---- the answer ----

    boolean headOut;
    boolean answered;

    /// Its own handler's answer is what went out.
    boolean own;

    boolean close;
    OutFraming framing = OutFraming.NONE;
    long lengthLeft;

    @Nullable
    Flow flow;

    // ---- the handler ----

    boolean dispatched;
    boolean running;

    @Nullable
    Cause cancelled;

    boolean late;
    boolean outputShut;

    CurrentExchange(int number, RequestHead head, Plan.@Nullable Task plan, long now) {
        this.number = number;
        this.head = head;
        this.plan = plan;
        this.body = BodyReader.of(head);
        this.deadline = plan == null ? Long.MAX_VALUE : now + plan.exchangeNanos();
        this.awaitingContinue = head.expectsContinue();
        this.lastBodyByte = now;
    }

    /// Whether the client was never told whether to send the body that it asked about: it may send it or not, so that
    /// nobody knows what its next bytes are.
    boolean neverAsked() {
        return head.expectsContinue() && !wanted;
    }

    boolean isHead() {
        return head.method().equals("HEAD");
    }

    boolean cancelsOnGone() {
        return plan == null || plan.cancelOnGone();
    }
}
