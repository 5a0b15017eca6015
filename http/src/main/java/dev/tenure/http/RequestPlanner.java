package dev.tenure.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tenure.host.ConfigurationError;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.route.PathText;
import dev.tenure.http.internal.route.RouteTable;
import dev.tenure.http.internal.wire.Reasons;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Decides from a head what becomes of a request. What needs no handler is answered here, on the event loop, so that
/// health is told even while handlers hold every carrier thread.
final class RequestPlanner implements Plan.Planner {
    private static final String HEALTH = "/health/";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Plan MALFORMED =
            refusal(new Refusal(400, "the path is not percent-encoded as RFC 3986 has it"));
    private static final Plan NOT_FOUND = refusal(new Refusal(404, Reasons.phrase(404)));
    private static final Plan FULL =
            refusal(new Refusal(503, "as many requests are under way as may be"), "Retry-After", "1");
    private static final Refusal OTHER_METHOD = new Refusal(405, Reasons.phrase(405));

    /// What the health routes tell.
    record Health(BooleanSupplier live, BooleanSupplier ready) {}

    private final RouteTable<ServedRoute> table = new RouteTable<>();
    private final RouteTable<BooleanSupplier> health = new RouteTable<>();
    private final BooleanSupplier full;

    RequestPlanner(List<RouteSource> sources, HttpLimits limits, BooleanSupplier full) {
        this.full = full;
        var routes = new Routes();
        sources.forEach(source -> source.routes(routes));
        for (var declared : routes.declared()) {
            try {
                table.add(declared.method().name(), declared.pattern(), new ServedRoute(declared, limits));
            } catch (IllegalArgumentException wrong) {
                throw new ConfigurationError(String.valueOf(wrong.getMessage()), wrong);
            }
        }
    }

    RequestPlanner with(Health told) {
        health.add("GET", HEALTH + "live", told.live());
        health.add("GET", HEALTH + "ready", told.ready());
        return this;
    }

    @Override
    public Plan plan(RequestHead head) {
        String path = PathText.pathOf(head.target());
        if (path.startsWith(HEALTH)
                && health.find(head.method(), path) instanceof RouteTable.Match.Found<BooleanSupplier> found) {
            return health(found.target());
        }
        return switch (table.find(head.method(), path)) {
            case RouteTable.Match.Found<ServedRoute> found -> admitted(found);
            case RouteTable.Match.OtherMethods<ServedRoute> other -> refusal(OTHER_METHOD, "Allow", other.allow());
            case RouteTable.Match.Malformed<ServedRoute> _ -> MALFORMED;
            case RouteTable.Match.None<ServedRoute> _ -> NOT_FOUND;
        };
    }

    private Plan admitted(RouteTable.Match.Found<ServedRoute> found) {
        return full.getAsBoolean() ? FULL : found.target().with(found.names(), found.values());
    }

    private static Plan health(BooleanSupplier good) {
        boolean is = good.getAsBoolean();
        byte[] text = (is ? "ok\n" : "no\n").getBytes(US_ASCII);
        return reply(is ? 200 : 503, text, "Cache-Control", "no-store");
    }

    private static Plan refusal(Refusal why, String... field) {
        return reply(why.status(), why.body(), field);
    }

    private static Plan reply(int status, byte[] body, String... field) {
        String[] fields = new String[2 + field.length];
        fields[0] = "Content-Type";
        fields[1] = TEXT;
        System.arraycopy(field, 0, fields, 2, field.length);
        return new Plan.Reply(new ResponseHead(status, fields, body.length), Piece.of(body));
    }
}
