package dev.tenure.http;

import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Scope;
import dev.tenure.host.Activity;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/// The exchange of a call, whose activity is the host's own: it ends after the scope, and not by it.
///
/// @param served all the rest of it
/// @param activity of the call
record CalledExchange(Exchange served, Activity activity) implements Exchange {
    @Override
    public String method() {
        return served.method();
    }

    @Override
    public String path() {
        return served.path();
    }

    @Override
    public String path(String name) {
        return served.path(name);
    }

    @Override
    public Optional<String> query(String name) {
        return served.query(name);
    }

    @Override
    public List<String> queries(String name) {
        return served.queries(name);
    }

    @Override
    public Optional<String> header(String name) {
        return served.header(name);
    }

    @Override
    public List<String> headers(String name) {
        return served.headers(name);
    }

    @Override
    public long contentLength() {
        return served.contentLength();
    }

    @Override
    public RequestBody body() {
        return served.body();
    }

    @Override
    public Scope scope() {
        return served.scope();
    }

    @Override
    public Optional<InetSocketAddress> peer() {
        return served.peer();
    }

    @Override
    public Deadline deadline() {
        return served.deadline();
    }

    @Override
    public ExecutionCancellation cancellation() {
        return served.cancellation();
    }

    @Override
    public String id() {
        return served.id();
    }

    @Override
    public String route() {
        return served.route();
    }

    @Override
    public boolean stopping() {
        return served.stopping();
    }
}
