package dev.tenure.http.internal.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.wire.HeadEncoder;
import dev.tenure.http.internal.wire.HeadEncoder.Persistence;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import dev.tenure.http.internal.wire.WireLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// An engine on a table: events in, a list of words out. Output is taken by the transport at once unless it is
/// stalled.
final class EngineRig {
    static final long WRITE_MIN = 1_000;
    static final long BODY_MAX = 1_048_576;
    static final String GET = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

    private static final Refusal TOO_LARGE = new Refusal(413, "too large");

    private final List<String> words = new ArrayList<>();
    private final StringBuilder wire = new StringBuilder();
    private final StringBuilder body = new StringBuilder();
    private final HeadEncoder encoder = new HeadEncoder();
    private final ConnectionEngine engine;
    private long now;
    private boolean stopping;
    private boolean stalled;
    private boolean wrote;

    EngineRig() {
        this(true);
    }

    EngineRig(boolean finMeansGone) {
        var clocks = new EngineLimits.Clocks(
                seconds(10), seconds(30), seconds(30), seconds(75), seconds(2), seconds(15), seconds(1));
        var sizes = new EngineLimits.Sizes(65_536, 65_536, 65_536, WRITE_MIN);
        engine = new ConnectionEngine(
                new EngineLimits(WireLimits.defaults(), clocks, sizes, finMeansGone),
                EngineRig::plan,
                () -> stopping,
                this::act);
    }

    static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private record Route(boolean cancelOnGone) implements Plan.Task {
        @Override
        public long bodyBytesMax() {
            return BODY_MAX;
        }

        @Override
        public long exchangeNanos() {
            return seconds(60);
        }

        @Override
        public Refusal tooLarge() {
            return TOO_LARGE;
        }
    }

    private static Plan plan(RequestHead head) {
        return switch (head.target()) {
            case "/reply" -> new Plan.Reply(new ResponseHead(200, new String[0], 2), Piece.of(new byte[] {'o', 'k'}));
            case "/continue" -> new Route(false);
            default -> new Route(true);
        };
    }

    private void act(Action action) {
        switch (action) {
            case Action.WriteHead head -> written(head(head));
            case Action.WriteBytes bytes -> written(text(bytes.piece(), bytes.chunked()));
            case Action.WriteLastChunk _ -> written("0\r\n\r\n");
            case Action.WriteContinue _ -> written("HTTP/1.1 100 Continue\r\n\r\n");
            case Action.BodyBytes bytes -> body.append(text(bytes.piece(), false));
            case Action.Dispatch dispatch -> words.add("dispatch " + dispatch.exchange());
            case Action.BodyEnd _ -> words.add("body end");
            case Action.BodyFailed failed -> words.add("body " + failed.why());
            case Action.CancelHandler cancel -> words.add("cancel " + cancel.why());
            case Action.Retired retired -> words.add("retired " + retired.end());
            case Action.Refused refused -> words.add("refused " + refused.status());
            case Action.StopReading _ -> words.add("stop reading");
            case Action.StartReading _ -> words.add("start reading");
            case Action.ShutdownOutput _ -> words.add("fin");
            case Action.Close _ -> words.add("close");
            case Action.Abort _ -> words.add("abort");
        }
    }

    private String head(Action.WriteHead head) {
        int length = encoder.encode(head.head(), head.framing(), head.persistence());
        words.add(head.head().status() + (head.persistence() == Persistence.CLOSE ? " closing" : ""));
        return new String(encoder.bytes(), 0, length, ISO_8859_1);
    }

    private static String text(Piece piece, boolean chunked) {
        String text = new String(piece.bytes(), piece.from(), piece.length(), ISO_8859_1);
        return chunked ? Integer.toHexString(piece.length()) + "\r\n" + text + "\r\n" : text;
    }

    private void written(String text) {
        wire.append(text);
        wrote = true;
    }

    EngineRig on(Event event) {
        engine.on(event, now);
        while (wrote && !stalled) {
            wrote = false;
            engine.on(new Event.OutputDrained(), now);
        }
        return this;
    }

    EngineRig receive(String text) {
        return receive(text.getBytes(ISO_8859_1), Integer.MAX_VALUE);
    }

    EngineRig receive(byte[] bytes, int fragment) {
        for (int at = 0; at < bytes.length; at += Math.min(fragment, bytes.length - at)) {
            on(new Event.Received(new Piece(bytes, at, at + Math.min(fragment, bytes.length - at))));
        }
        return this;
    }

    EngineRig answer(int exchange, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        var head = new ResponseHead(200, new String[0], bytes.length);
        return on(new Event.Answered(exchange, head, Piece.of(bytes)));
    }

    /// Both in one step, as the adapter does.
    EngineRig answerAndEnd(int exchange, String text) {
        boolean before = stalled;
        stalled = true;
        answer(exchange, text);
        stalled = before;
        return ended(exchange);
    }

    EngineRig begin(int exchange, long length, Flow flow) {
        return on(new Event.AnswerBegun(exchange, new ResponseHead(200, new String[0], length), flow));
    }

    EngineRig piece(int exchange, String text) {
        return on(new Event.AnswerBytes(exchange, Piece.of(text.getBytes(ISO_8859_1))));
    }

    EngineRig finish(int exchange) {
        return on(new Event.AnswerEnded(exchange));
    }

    EngineRig ended(int exchange) {
        return on(new Event.HandlerEnded(exchange));
    }

    EngineRig announced() {
        stopping = true;
        return this;
    }

    EngineRig stalled(boolean is) {
        stalled = is;
        return this;
    }

    /// Lets time pass, with a tick whenever the engine asks for one, and one at the end.
    EngineRig pass(Duration time) {
        long end = now + time.toNanos();
        for (long due = engine.nextDeadline(); due <= end && due > now; due = engine.nextDeadline()) {
            now = due;
            on(new Event.Tick());
        }
        now = end;
        return on(new Event.Tick());
    }

    /// The time to the next deadline, in seconds.
    String next() {
        long due = engine.nextDeadline();
        return due == Long.MAX_VALUE ? "never" : String.format(Locale.ROOT, "%.1f", (due - now) / 1e9);
    }

    boolean isOver() {
        return engine.isOver();
    }

    /// The words since the last call.
    List<String> words() {
        var taken = List.copyOf(words);
        words.clear();
        return taken;
    }

    /// What went out since the last call.
    String wire() {
        String taken = wire.toString();
        wire.setLength(0);
        return taken;
    }

    String body() {
        return body.toString();
    }
}
