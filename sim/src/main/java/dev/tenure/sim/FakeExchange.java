package dev.tenure.sim;

import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Scope;
import dev.tenure.host.Activity;
import dev.tenure.http.Exchange;
import dev.tenure.http.RequestBody;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request as a handler sees it.
///
/// **Owner:** the [Sim]. **Ends:** with its scope. **Threads:** the handler's.
final class FakeExchange implements Exchange {
    private final Request request;
    private final RequestBody body;
    private final Scope scope;
    private final Supplier<Activity> activities;
    private @Nullable Activity activity;

    FakeExchange(Request request, Scope scope, Supplier<Activity> activities) {
        this.request = request;
        this.body = new FakeBody(request.bytes());
        this.scope = scope;
        this.activities = activities;
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String path() {
        return request.path();
    }

    @Override
    public String path(String name) {
        String value = request.parameters().get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "path parameter: " + name + " (expected: one that the request was given)");
        }
        return value;
    }

    @Override
    public Optional<String> query(String name) {
        return queries(name).stream().findFirst();
    }

    @Override
    public List<String> queries(String name) {
        return List.of(request.query().split("&")).stream()
                .map(pair -> pair.split("=", 2))
                .filter(pair -> decoded(pair[0]).equals(name))
                .map(pair -> pair.length == 1 ? "" : decoded(pair[1]))
                .toList();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Override
    public Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    @Override
    public List<String> headers(String name) {
        return request.headers().entrySet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Override
    public long contentLength() {
        return request.bytes().length;
    }

    @Override
    public RequestBody body() {
        return body;
    }

    @Override
    public Activity activity() {
        Activity known = activity;
        if (known == null) {
            known = activities.get();
            activity = known;
        }
        return known;
    }

    /// Ends the activity, if there is one.
    void over() {
        if (activity != null) {
            activity.close();
        }
    }

    @Override
    public Scope scope() {
        return scope;
    }

    @Override
    public Optional<InetSocketAddress> peer() {
        return Optional.empty();
    }

    @Override
    public Deadline deadline() {
        return scope.deadline();
    }

    @Override
    public ExecutionCancellation cancellation() {
        return scope.cancellation();
    }

    @Override
    public String id() {
        return "sim-1";
    }

    @Override
    public String route() {
        return request.route();
    }

    @Override
    public boolean stopping() {
        return false;
    }
}
