package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.exchange.Action.BodyFault;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.ConnectionState.Phase;
import dev.tenure.http.internal.exchange.DeadlineRules.Clock;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.wire.BodyReader;
import dev.tenure.http.internal.wire.HeadParser;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.RequestHead;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One HTTP/1.1 connection: events in, actions out. One exchange at a time; what is pipelined behind it waits.
///
/// **Owner:** one connection. **Ends:** with the action `Close` or `Abort`; a handler that still runs then is retired
/// by its [Event.HandlerEnded]. **States:** `HEAD -> EXCHANGE -> HEAD`, from each `-> LINGER -> CLOSED` or `->
/// CLOSED`. **Threads:** one at a time; an action must not call back into the engine. **Limits:** [EngineLimits].
/// **Fails:** never; what is wrong becomes a status, an abort, or the cancel of a handler. **Source:** design 5.
public final class ConnectionEngine {
    private final ConnectionState s;
    private final Plan.Planner planner;
    private final HeadParser parser;
    private final Answering answer;
    private final Inbox inbox = new Inbox();
    private final BodyReader.Sink sink = this::bodyBytes;

    /// An engine at time 0, waiting for the first head.
    ///
    /// @param limits what may be taken
    /// @param planner says what becomes of a request
    /// @param stopping whether a stop was announced, so that answers announce the end of their connection
    /// @param actions is given each action, at once
    public ConnectionEngine(
            EngineLimits limits, Plan.Planner planner, BooleanSupplier stopping, Consumer<Action> actions) {
        this.s = new ConnectionState(limits, stopping, actions);
        this.planner = planner;
        this.parser = new HeadParser(limits.wire());
        this.answer = new Answering(s);
    }

    /// The time at which [Event.Tick] is due.
    ///
    /// @return nanoseconds since the connection began; [Long#MAX_VALUE] for never
    public long nextDeadline() {
        return DeadlineRules.next(s);
    }

    /// Whether nothing of it is left: the transport was told to close, and no handler runs.
    ///
    /// @return true for good
    public boolean isOver() {
        return s.phase == Phase.CLOSED && s.current == null;
    }

    /// Takes one event.
    ///
    /// @param event what happened
    /// @param now nanoseconds since the connection began; never goes back
    public void on(Event event, long now) {
        s.now = now;
        switch (event) {
            case Event.Received received -> received(received.piece());
            case Event.PeerFin _ -> fin();
            case Event.PeerReset _ -> gone();
            case Event.OutputDrained _ -> s.drained = true;
            case Event.OutputProgressed progressed -> s.taken(progressed.bytes());
            case Event.Tick _ -> tick();
            case Event.DrainBegun _ -> drain();
            case Event.Forced _ -> force();
            case Event.Disposed _ -> dispose();
            case Event.BodyWanted wanted -> bodyWanted(exchange(wanted.exchange()));
            case Event.BodyTaken taken -> bodyTaken(exchange(taken.exchange()), taken.bytes());
            case Event.Answered answered -> answered(answered);
            case Event.AnswerBegun begun -> begun(begun);
            case Event.AnswerBytes bytes -> answerBytes(exchange(bytes.exchange()), bytes.piece());
            case Event.AnswerEnded ended -> answerEnded(exchange(ended.exchange()));
            case Event.AnswerFailed failed -> answerFailed(exchange(failed.exchange()));
            case Event.HandlerEnded ended -> handlerEnded(exchange(ended.exchange()));
        }
        settle();
    }

    private @Nullable CurrentExchange exchange(int number) {
        CurrentExchange x = s.current;
        return x != null && x.number == number ? x : null;
    }

    // ---- input ----

    private void received(Piece piece) {
        s.lastActivity = s.now;
        if (inbox.isEmpty()) {
            int taken = consume(piece.bytes(), piece.from(), piece.to());
            if (taken < piece.to()) {
                inbox.add(piece.bytes(), taken, piece.to());
            }
        } else {
            inbox.add(piece.bytes(), piece.from(), piece.to());
            consumeInbox();
        }
        if (inbox.size() > s.limits.sizes().pipelineMax()) {
            s.stopReading();
        }
    }

    private void consumeInbox() {
        int from = inbox.from();
        inbox.taken(consume(inbox.bytes(), from, inbox.to()) - from);
    }

    /// Takes what has its turn.
    ///
    /// @return the index of the first byte whose turn has not come
    private int consume(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            int before = at;
            switch (s.phase) {
                case HEAD -> at += head(bytes, at, to);
                case EXCHANGE -> at += body(bytes, at, to);
                case LINGER, CLOSED -> {
                    return to;
                }
            }
            if (at == before) {
                break;
            }
        }
        return at;
    }

    private int head(byte[] bytes, int from, int to) {
        if (!s.headStarted) {
            s.headStarted = true;
            s.headSince = s.exchanges == 0 ? 0 : s.now;
        }
        int taken = parser.feed(bytes, from, to);
        switch (parser.state()) {
            case COMPLETE -> begin(parser.take());
            case REFUSED -> answer.refuseHead(parser.refusal().orElseThrow());
            case EMPTY, PARTIAL -> {}
        }
        return taken;
    }

    private void begin(RequestHead head) {
        s.headStarted = false;
        s.phase = Phase.EXCHANGE;
        Plan plan = planner.plan(head);
        var task = plan instanceof Plan.Task run ? run : null;
        var x = new CurrentExchange(++s.exchanges, head, task, s.now);
        s.current = x;
        if (s.forced) {
            answer.refuse(x, EngineRefusals.STOPPING, Cause.STOP);
        } else if (task != null && head.contentLength() > task.bodyBytesMax()) {
            answer.refuse(x, task.tooLarge(), Cause.PEER_FAULT);
        } else if (task != null) {
            x.dispatched = true;
            x.running = true;
            x.delivering = true;
            s.act(new Action.Dispatch(x.number, head, task));
            if (x.body.done()) {
                s.act(new Action.BodyEnd(x.number));
            }
        } else if (plan instanceof Plan.Reply reply) {
            answer.whole(x, reply.head(), reply.body());
        }
    }

    private int body(byte[] bytes, int from, int to) {
        CurrentExchange x = s.current;
        if (x == null || x.body.done() || x.body.refusal().isPresent()) {
            return 0;
        }
        x.awaitingContinue = false;
        x.lastBodyByte = s.now;
        int taken = x.body.feed(bytes, from, to, sink);
        var wrong = x.body.refusal();
        if (wrong.isPresent()) {
            answer.refuse(x, wrong.get(), Cause.PEER_FAULT);
            x.close = true;
            return to - from;
        }
        if (x.body.done() && x.delivering) {
            s.act(new Action.BodyEnd(x.number));
        }
        return taken;
    }

    private void bodyBytes(byte[] bytes, int from, int to) {
        CurrentExchange x = s.current;
        if (x == null || !x.delivering || x.plan == null) {
            return;
        }
        x.received += to - from;
        if (x.received > x.plan.bodyBytesMax()) {
            x.delivering = false;
            s.act(new Action.BodyFailed(x.number, BodyFault.TOO_LARGE));
            return;
        }
        x.queued += to - from;
        s.act(new Action.BodyBytes(x.number, new Piece(bytes, from, to)));
        if (x.queued >= s.limits.sizes().bodyQueueMax()) {
            s.stopReading();
        }
    }

    private void bodyWanted(@Nullable CurrentExchange x) {
        if (x == null || x.headOut || s.gone) {
            return;
        }
        x.wanted = true;
        if (!x.awaitingContinue) {
            return;
        }
        x.awaitingContinue = false;
        x.lastBodyByte = s.now;
        s.wrote();
        s.act(new Action.WriteContinue());
    }

    private void bodyTaken(@Nullable CurrentExchange x, int bytes) {
        if (x == null || !x.delivering) {
            return;
        }
        x.queued -= bytes;
        if (x.queued <= s.limits.sizes().bodyQueueMax() / 2 && !s.reading) {
            x.lastBodyByte = s.now;
            s.startReading();
        }
    }

    // ---- the handler's answer ----

    /// Whether an answer may still go out; if it was cancelled, that it came late is recorded.
    private boolean mayAnswer(@Nullable CurrentExchange x) {
        if (x == null || (x.answered && x.cancelled == null)) {
            return false;
        }
        if (x.cancelled != null) {
            x.late = true;
            return false;
        }
        return !s.gone && s.phase == Phase.EXCHANGE;
    }

    private void answered(Event.Answered event) {
        CurrentExchange x = exchange(event.exchange());
        if (x != null && mayAnswer(x)) {
            x.own = true;
            answer.whole(x, event.head(), event.body());
        }
    }

    private void begun(Event.AnswerBegun event) {
        CurrentExchange x = exchange(event.exchange());
        if (x != null && mayAnswer(x)) {
            answer.begin(x, event.head(), event.flow());
        }
    }

    private void answerBytes(@Nullable CurrentExchange x, Piece piece) {
        if (x != null && x.headOut && !x.answered && !s.gone) {
            answer.bytes(x, piece);
        }
    }

    private void answerEnded(@Nullable CurrentExchange x) {
        if (x != null && x.headOut && !x.answered && !s.gone) {
            x.own = true;
            answer.end(x);
        }
    }

    private void answerFailed(@Nullable CurrentExchange x) {
        if (x != null && x.headOut && !x.answered && !s.gone) {
            answer.broken(x);
        }
    }

    private void handlerEnded(@Nullable CurrentExchange x) {
        if (x == null || !x.running) {
            return;
        }
        x.running = false;
        x.delivering = false;
        if (!x.answered && !s.gone && s.phase == Phase.EXCHANGE) {
            answer.refuse(x, EngineRefusals.NO_ANSWER, Cause.STOP);
        }
    }

    // ---- the peer, the clock, the stop ----

    private void fin() {
        s.inputEnded = true;
        CurrentExchange x = s.current;
        if (x != null && x.body.done() && s.phase == Phase.EXCHANGE && !s.limits.finMeansGone()) {
            x.close = true;
        } else {
            gone();
        }
    }

    private void gone() {
        s.gone = true;
        inbox.clear();
        CurrentExchange x = s.current;
        if (x != null && s.phase == Phase.EXCHANGE) {
            if (x.cancelsOnGone()) {
                s.cancel(x, Cause.PEER_GONE);
            }
            s.failBody(x, BodyFault.GONE);
        } else {
            s.close();
        }
    }

    private void tick() {
        for (Clock clock : Clock.values()) {
            if (DeadlineRules.at(clock, s) <= s.now) {
                struck(clock);
            }
        }
    }

    private void struck(Clock clock) {
        CurrentExchange x = s.current;
        switch (clock) {
            case HEADER -> headerLate();
            case KEEP_ALIVE, STOP_GRACE, LINGER -> s.close();
            case EXCHANGE -> late(x, EngineRefusals.answerLate(x), Cause.EXCHANGE_DEADLINE);
            case BODY_IDLE -> late(x, EngineRefusals.bodyIdle(s.limits.clocks()), Cause.BODY_IDLE);
            case WRITE_IDLE -> stalled(x);
            case HEARTBEAT -> {
                if (x != null) {
                    answer.heartbeat(x);
                }
            }
        }
    }

    private void headerLate() {
        if (s.headStarted) {
            answer.refuseHead(EngineRefusals.headLate(s.limits.clocks()));
        } else {
            s.close();
        }
    }

    private void late(@Nullable CurrentExchange x, Refusal why, Cause cause) {
        if (x == null) {
            return;
        }
        if (x.answered) {
            x.close = true;
        } else {
            answer.refuse(x, why, cause);
        }
    }

    private void stalled(@Nullable CurrentExchange x) {
        if (x != null) {
            s.cancel(x, Cause.WRITE_IDLE);
            answer.broken(x);
        }
    }

    private void drain() {
        s.draining = true;
        CurrentExchange x = s.current;
        if (x != null && x.flow == Flow.EVENTS && !s.gone) {
            answer.endEvents(x);
        }
        if (DeadlineRules.at(Clock.STOP_GRACE, s) <= s.now) {
            s.close();
        }
        s.lingerLess();
    }

    private void force() {
        s.draining = true;
        s.forced = true;
        CurrentExchange x = s.current;
        if (x == null) {
            s.close();
        } else if (!x.answered) {
            answer.refuse(x, EngineRefusals.STOPPING, Cause.STOP);
        } else {
            s.cancel(x, Cause.STOP);
        }
    }

    private void dispose() {
        force();
        s.close();
    }

    // ---- after each event ----

    /// Retires the exchange once all of it has ended.
    private void settle() {
        CurrentExchange x = s.current;
        if (x == null || s.phase == Phase.LINGER) {
            return;
        }
        boolean over = s.gone || s.phase == Phase.CLOSED;
        if (!over && !(x.answered && s.drained)) {
            return;
        }
        if (x.running) {
            shutEarly(x, over);
        } else if (over) {
            retire(x);
            s.close();
        } else if (x.close) {
            retire(x);
            endConnection(x);
        } else if (x.body.done()) {
            retire(x);
            next();
        }
    }

    /// The client has its answer: it need not wait for the end of a handler that was cancelled.
    private void shutEarly(CurrentExchange x, boolean over) {
        if (!over && x.close && !x.outputShut) {
            x.outputShut = true;
            s.act(new Action.ShutdownOutput());
        }
    }

    private void retire(CurrentExchange x) {
        s.current = null;
        if (x.dispatched) {
            s.act(new Action.Retired(x.number, end(x)));
        }
    }

    private static End end(CurrentExchange x) {
        if (x.cancelled == null || x.own) {
            return End.COMPLETED;
        }
        return x.late ? End.CANCELLED_LATE : End.CANCELLED;
    }

    /// Closes at once if nothing can be on its way that would turn our FIN into a reset; else lingers.
    private void endConnection(CurrentExchange x) {
        if (x.body.done() && inbox.isEmpty()) {
            s.close();
            return;
        }
        inbox.clear();
        if (!x.outputShut) {
            s.act(new Action.ShutdownOutput());
        }
        s.linger();
    }

    private void next() {
        s.phase = Phase.HEAD;
        s.idleSince = s.now;
        s.lastActivity = s.now;
        if (inbox.size() <= s.limits.sizes().pipelineMax()) {
            s.startReading();
        }
        if (!inbox.isEmpty()) {
            consumeInbox();
        }
        if (s.phase == Phase.HEAD) {
            s.startReading();
        }
    }
}
