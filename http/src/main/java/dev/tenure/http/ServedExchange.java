package dev.tenure.http;

import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.host.Activity;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.route.PathText;
import dev.tenure.http.internal.wire.RequestHead;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An exchange of a running server.
final class ServedExchange implements Exchange {
    private static final ResourceType<Activity> ACTIVITY = ResourceType.of("activity", Activity::close);

    private final Serving serving;
    private final ExchangePort port;
    private final RequestHead head;
    private final ServedRoute route;
    private final Plan.Task plan;
    private final ServedBody body;

    // Confined to the handler's thread.
    private Deadline deadline;
    private @Nullable Scope task;
    private @Nullable Scope scope;
    private @Nullable Activity activity;
    private @Nullable String id;

    private volatile boolean over;

    ServedExchange(Serving serving, ExchangePort port, RequestHead head, Plan.Task plan) {
        this.serving = serving;
        this.port = port;
        this.head = head;
        this.plan = plan;
        this.route = switch (plan) {
            case ServedRoute plain -> plain;
            case ServedRoute.WithParameters with -> with.route();
            default -> throw new IllegalStateException("a plan of another planner: " + plan);
        };
        this.body = new ServedBody(this);
        this.deadline = Deadline.atNanos(serving.time().nanos() + plan.exchangeNanos(), serving.time());
    }

    Serving serving() {
        return serving;
    }

    ExchangePort port() {
        return port;
    }

    ServedRoute served() {
        return route;
    }

    RequestHead head() {
        return head;
    }

    boolean isHead() {
        return head.method().equals("HEAD");
    }

    void entered(Scope around, Scope own) {
        task = around;
        scope = own;
    }

    /// A stream has begun: from now on its client's pace bounds it, and no deadline of the exchange. The engine's own
    /// stops by the same event.
    void liftDeadline() {
        Scope around = task;
        if (around != null) {
            around.liftDeadline();
            scope().liftDeadline();
        }
        deadline = Deadline.none();
    }

    /// Whether something may outlive the answer.
    boolean hasActivity() {
        return activity != null;
    }

    /// Nothing more is read.
    void over() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String path() {
        return PathText.decode(PathText.pathOf(head.target()), false).orElseThrow(ServedExchange::malformed);
    }

    @Override
    public String path(String name) {
        if (plan instanceof ServedRoute.WithParameters with && with.names().contains(name)) {
            return with.values().get(with.names().indexOf(name));
        }
        throw new IllegalArgumentException(
                "path parameter: %s (expected: one of the pattern of %s)".formatted(name, route.label()));
    }

    @Override
    public Optional<String> query(String name) {
        var all = queries(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getFirst());
    }

    @Override
    public List<String> queries(String name) {
        String target = head.target();
        int from = target.indexOf('?') + 1;
        if (from == 0) {
            return List.of();
        }
        var values = new ArrayList<String>(2);
        for (String pair : target.substring(from).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    @Override
    public Optional<InetSocketAddress> peer() {
        return port.peer();
    }

    private static String decoded(String text) {
        return PathText.decode(text, true).orElseThrow(ServedExchange::malformed);
    }

    private static HttpStatusException malformed() {
        return new HttpStatusException(400, "the query is not percent-encoded UTF-8 without controls");
    }

    @Override
    public Optional<String> header(String name) {
        return head.header(name);
    }

    @Override
    public List<String> headers(String name) {
        return head.headers(name);
    }

    @Override
    public long contentLength() {
        return head.contentLength();
    }

    @Override
    public RequestBody body() {
        return body;
    }

    @Override
    public Activity activity() {
        Activity present = activity;
        if (present == null) {
            present = scope().own(ACTIVITY, serving.openActivity(route.label())).get();
            activity = present;
        }
        return present;
    }

    @Override
    public Scope scope() {
        Scope own = scope;
        if (own == null) {
            throw new IllegalStateException("exchange %s has not begun".formatted(route.label()));
        }
        return own;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public ExecutionCancellation cancellation() {
        return scope().cancellation();
    }

    @Override
    public String id() {
        String present = id;
        if (present == null) {
            present = serving.nextId();
            id = present;
        }
        return present;
    }

    @Override
    public String route() {
        return route.label();
    }

    @Override
    public boolean stopping() {
        return port.stopping();
    }

    @Override
    public String toString() {
        return "exchange " + route.label();
    }
}
