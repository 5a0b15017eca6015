package dev.tenure.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tenure.host.ConfigurationError;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.route.PathText;
import dev.tenure.http.internal.route.RouteTable;
import dev.tenure.http.internal.wire.Reasons;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Decides from a head what becomes of a request. What needs no handler is answered here, on the event loop, so that
/// health is told even while handlers hold every carrier thread.
final class RequestPlanner implements Plan.Planner {
    private static final String HEALTH = "/health/";
    private static final String TEXT = "text/plain; charset=utf-8";

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
            case RouteTable.Match.OtherMethods<ServedRoute> other -> status(405, "Allow", other.allow());
            case RouteTable.Match.Malformed<ServedRoute> _ -> status(400);
            case RouteTable.Match.None<ServedRoute> _ -> status(404);
        };
    }

    private Plan admitted(RouteTable.Match.Found<ServedRoute> found) {
        return full.getAsBoolean()
                ? status(503, "Retry-After", "1")
                : found.target().with(found.names(), found.values());
    }

    private static Plan health(BooleanSupplier good) {
        boolean is = good.getAsBoolean();
        return reply(is ? 200 : 503, is ? "ok\n" : "no\n", "Cache-Control", "no-store");
    }

    private static Plan status(int status, String... field) {
        return reply(status, status + " " + Reasons.phrase(status) + "\n", field);
    }

    private static Plan reply(int status, String text, String... field) {
        byte[] body = text.getBytes(US_ASCII);
        String[] fields = new String[2 + field.length];
        fields[0] = "Content-Type";
        fields[1] = TEXT;
        System.arraycopy(field, 0, fields, 2, field.length);
        return new Plan.Reply(new ResponseHead(status, fields, body.length), Piece.of(body));
    }
}
