package dev.tenure.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.host.Activity;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.HostStopping;
import dev.tenure.http.internal.route.PathText;
import dev.tenure.http.internal.route.RouteTable;
import dev.tenure.http.internal.wire.HeadFields;
import dev.tenure.http.internal.wire.Reasons;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.WireLimits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/// Answers single requests by the routes of a server, without a listener: for a platform that hands a whole request to
/// a function and wants a whole answer back.
///
/// Each call is an activity of the host, which is also that of its exchange. When it returns, the handler, what its
/// scope owned, its background work and all cleanups have ended, in this order. A stream is gathered; events are
/// refused with 501, since
/// they need a connection that stays open.
///
/// **Owner:** whoever opened it; it holds nothing that ends. **Threads:** any; a handler has a
/// virtual thread of its own.
/// **Limits:** those of [HttpLimits] for heads, bodies and exchanges; a streamed answer of `answerBytesMax`. **Fails:**
/// never for what a handler or a client did: that is an answer, and told to the host's observer as by a server.
/// **Source:** design 4, issue 4.
public final class HttpCalls {
    /// The head of a request.
    ///
    /// **Threads:** immutable.
    ///
    /// @param method such as `GET`
    /// @param target the path, and the query if there is one, percent-encoded
    /// @param fields names and values; what says how the message was sent is passed over
    /// @param peer the other end, if it is known
    public record Head(
            String method, String target, List<Map.Entry<String, String>> fields, Optional<InetSocketAddress> peer) {
        /// Keeps a copy of the fields.
        public Head {
            fields = List.copyOf(fields);
        }
    }

    /// An answer.
    ///
    /// **Threads:** immutable, but for the bytes, which are the caller's.
    public static final class Answer {
        private final int status;
        private final List<Map.Entry<String, String>> fields;
        private final byte[] body;

        Answer(int status, List<Map.Entry<String, String>> fields, byte[] body) {
            this.status = status;
            this.fields = List.copyOf(fields);
            this.body = body;
        }

        static Answer text(int status, byte[] text) {
            return new Answer(status, List.of(Map.entry("Content-Type", "text/plain; charset=utf-8")), text);
        }

        Answer withoutBody() {
            return new Answer(status, fields, new byte[0]);
        }

        /// The status.
        ///
        /// @return 200 to 599
        public int status() {
            return status;
        }

        /// The header fields.
        ///
        /// @return names and values, in order; no length, date or connection among them
        public List<Map.Entry<String, String>> fields() {
            return fields;
        }

        /// The body.
        ///
        /// @return given away; empty for HEAD
        public byte[] body() {
            return body;
        }

        @Override
        public String toString() {
            return "answer %d, %d bytes".formatted(status, body.length);
        }
    }

    private final Host owner;
    private final Serving serving;
    private final HttpLimits limits;
    private final int answerBytesMax;
    private final RouteTable<Routes.Declared> table = new RouteTable<>();

    HttpCalls(Host owner, Serving serving, HttpLimits limits, int answerBytesMax) {
        this.owner = owner;
        this.serving = serving;
        this.limits = limits;
        this.answerBytesMax = answerBytesMax;
    }

    /// Begins to build calls.
    ///
    /// @param sources their routes
    /// @return the builder, which opens nothing
    public static HttpCallsBuilder over(RouteSource... sources) {
        return new HttpCallsBuilder(List.of(sources));
    }

    void add(Routes.Declared declared) {
        try {
            table.add(declared.method().name(), declared.pattern(), declared);
            var _ = new ServedRoute(declared, limits);
        } catch (IllegalArgumentException wrong) {
            throw new ConfigurationError(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /// Answers a request, and waits for all that it began.
    ///
    /// @param head its head
    /// @param body all of its body; given away
    /// @param deadline when the handler is cancelled, at the latest; its route may say earlier. Then it is 504
    /// @return the answer, once the activity has ended
    public Answer answer(Head head, byte[] body, Deadline deadline) {
        var answer = parsed(head, body, deadline);
        return head.method().equals("HEAD") ? answer.withoutBody() : answer;
    }

    private Answer parsed(Head head, byte[] body, Deadline deadline) {
        var wire = new WireLimits(limits.lineBytesMax(), limits.headBytesMax(), limits.fieldsMax());
        return switch (HeadFields.parse(head.method() + " " + head.target(), head.fields(), body.length, wire)) {
            case HeadFields.Parsed.Refused refused -> refusal(refused.why());
            case HeadFields.Parsed.Accepted accepted ->
                routed(accepted.head(), new CallPort(body, head.peer(), answerBytesMax, owner::isStopping), deadline);
        };
    }

    private Answer routed(RequestHead head, CallPort port, Deadline deadline) {
        return switch (table.find(head.method(), PathText.pathOf(head.target()))) {
            case RouteTable.Match.Found<Routes.Declared> found -> {
                var route = new ServedRoute(within(found.target(), deadline), limits);
                var exchange = new ServedExchange(serving, port, head, route.with(found.names(), found.values()));
                yield deadline.passed()
                        ? refusal(new Refusal(504, "the time for this call was over before it began"))
                        : admitted(exchange, port);
            }
            case RouteTable.Match.OtherMethods<Routes.Declared> other -> {
                var text = Map.entry("Content-Type", "text/plain; charset=utf-8");
                var why = new Refusal(405, Reasons.phrase(405));
                yield new Answer(405, List.of(text, Map.entry("Allow", other.allow())), why.body());
            }
            case RouteTable.Match.Malformed<Routes.Declared> _ ->
                refusal(new Refusal(400, "the path is not percent-encoded as RFC 3986 has it"));
            case RouteTable.Match.None<Routes.Declared> _ -> refusal(new Refusal(404, Reasons.phrase(404)));
        };
    }

    private static Answer refusal(Refusal why) {
        return Answer.text(why.status(), why.body().clone());
    }

    private Answer admitted(ServedExchange exchange, CallPort port) {
        var route = exchange.served();
        if (port.bodyBytes() > route.bodyBytesMax()) {
            return refusal(route.tooLarge());
        }
        try {
            owner.activity(
                    route.label(), _ -> Scope.current().call("call", Deadline.none(), () -> run(exchange, port)));
        } catch (HostStopping _) {
            return refusal(new Refusal(503, "the host stops"));
        } catch (RuntimeException | ExecutionException cleanup) {
            serving.failed("cleanup of %s (%s)".formatted(route.label(), exchange.id()), cleanup);
        }
        return answer(exchange, port);
    }

    /// The route with the time and the activity that the call has.
    private Routes.Declared within(Routes.Declared declared, Deadline deadline) {
        Duration own = declared.options().deadline().orElse(limits.exchange());
        Duration left = deadline.remaining();
        boolean shorter = left.isPositive() && left.compareTo(own) < 0;
        return new Routes.Declared(
                declared.method(),
                declared.pattern(),
                shorter ? declared.options().deadline(left) : declared.options(),
                exchange -> handled(declared.handler(), exchange));
    }

    private static Response handled(Handler handler, Exchange exchange) throws Exception {
        return handler.handle(new CalledExchange(exchange, Activity.current()));
    }

    /// In a task, since a cancel interrupts no other thread than a task's. The outer scope has the deadline, and keeps
    /// it when a stream lifts that of the inner ones.
    private static HandlerRun.Done run(ServedExchange exchange, CallPort port) {
        try (var limit = Scope.open("call", exchange.deadline())) {
            port.within(limit.cancellation());
            try (var _ = Scope.open(exchange.route())) {
                return new HandlerRun(exchange).call();
            }
        }
    }

    private Answer answer(ServedExchange exchange, CallPort port) {
        return switch (port.outcome()) {
            case CallPort.Outcome.Whole whole -> whole.answer();
            case CallPort.Outcome.TooMuch _ -> {
                var why =
                        "the answer has more than %d bytes, and a call has room for no more".formatted(answerBytesMax);
                serving.failed(
                        "answer of %s (%s)".formatted(exchange.route(), exchange.id()),
                        new IllegalStateException(exchange.route() + ": " + why));
                yield Answer.text(500, ("500 " + why + "\nid: " + exchange.id() + "\n").getBytes(UTF_8));
            }
            case CallPort.Outcome.Cancelled cancelled -> refusal(cancelled.why());
            case CallPort.Outcome.Broken _ -> Answer.text(500, ErrorText.bytes(500, exchange.id()));
        };
    }

    @Override
    public String toString() {
        return serving.name() + " of host '" + owner.name() + "'";
    }
}
