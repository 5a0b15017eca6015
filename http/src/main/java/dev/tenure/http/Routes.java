package dev.tenure.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Takes routes: a method, a pattern, a handler.
///
/// A pattern's segment is a literal, `{name}` for one segment, or, at the end, `{name...}` for all that is left. A
/// literal beats a parameter and a parameter a rest. A path without a route is 404, with routes for other methods
/// 405; a GET route answers HEAD.
///
/// **Threads:** one, while the server is built. **Limits:** 1024 routes; a pattern of 64 segments and 4096 bytes.
/// **Fails:** [dev.tenure.host.ConfigurationError] for a pattern that is
/// malformed, or taken.
public final class Routes {
    /// One route as it was declared.
    ///
    /// @param method of the request
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    record Declared(Method method, String pattern, RouteOptions options, Handler handler) {}

    private final List<Declared> declared = new ArrayList<>();

    Routes() {}

    List<Declared> declared() {
        return declared;
    }

    /// The handler of a declared route, without a server: for tests that call it.
    ///
    /// @param source declares it
    /// @param method of the route
    /// @param pattern as it is declared
    /// @return the handler
    /// @throws IllegalArgumentException if the source has no such route
    public static Handler handler(RouteSource source, Method method, String pattern) {
        var routes = new Routes();
        source.routes(routes);
        return routes.declared.stream()
                .filter(route -> route.method() == method && route.pattern().equals(pattern))
                .findFirst()
                .map(Declared::handler)
                .orElseThrow(() -> new IllegalArgumentException(
                        "route: %s %s (expected: one of %s)".formatted(method, pattern, routes.declared)));
    }

    /// Adds a route.
    ///
    /// @param method of the request
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes route(Method method, String pattern, RouteOptions options, Handler handler) {
        declared.add(new Declared(
                Objects.requireNonNull(method, "method"),
                Objects.requireNonNull(pattern, "pattern"),
                Objects.requireNonNull(options, "options"),
                Objects.requireNonNull(handler, "handler")));
        return this;
    }

    /// Adds a GET route, which answers HEAD too.
    ///
    /// @param pattern of the path
    /// @param handler answers
    /// @return this
    public Routes get(String pattern, Handler handler) {
        return route(Method.GET, pattern, RouteOptions.defaults(), handler);
    }

    /// Adds a GET route with options, which answers HEAD too.
    ///
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes get(String pattern, RouteOptions options, Handler handler) {
        return route(Method.GET, pattern, options, handler);
    }

    /// Adds a HEAD route, in place of what a GET route would answer.
    ///
    /// @param pattern of the path
    /// @param handler answers
    /// @return this
    public Routes head(String pattern, Handler handler) {
        return route(Method.HEAD, pattern, RouteOptions.defaults(), handler);
    }

    /// Adds a HEAD route with options.
    ///
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes head(String pattern, RouteOptions options, Handler handler) {
        return route(Method.HEAD, pattern, options, handler);
    }

    /// Adds a POST route.
    ///
    /// @param pattern of the path
    /// @param handler answers
    /// @return this
    public Routes post(String pattern, Handler handler) {
        return route(Method.POST, pattern, RouteOptions.defaults(), handler);
    }

    /// Adds a POST route with options.
    ///
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes post(String pattern, RouteOptions options, Handler handler) {
        return route(Method.POST, pattern, options, handler);
    }

    /// Adds a PUT route.
    ///
    /// @param pattern of the path
    /// @param handler answers
    /// @return this
    public Routes put(String pattern, Handler handler) {
        return route(Method.PUT, pattern, RouteOptions.defaults(), handler);
    }

    /// Adds a PUT route with options.
    ///
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes put(String pattern, RouteOptions options, Handler handler) {
        return route(Method.PUT, pattern, options, handler);
    }

    /// Adds a PATCH route.
    ///
    /// @param pattern of the path
    /// @param handler answers
    /// @return this
    public Routes patch(String pattern, Handler handler) {
        return route(Method.PATCH, pattern, RouteOptions.defaults(), handler);
    }

    /// Adds a PATCH route with options.
    ///
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes patch(String pattern, RouteOptions options, Handler handler) {
        return route(Method.PATCH, pattern, options, handler);
    }

    /// Adds a DELETE route.
    ///
    /// @param pattern of the path
    /// @param handler answers
    /// @return this
    public Routes delete(String pattern, Handler handler) {
        return route(Method.DELETE, pattern, RouteOptions.defaults(), handler);
    }

    /// Adds a DELETE route with options.
    ///
    /// @param pattern of the path
    /// @param options how it differs from the server's limits
    /// @param handler answers
    /// @return this
    public Routes delete(String pattern, RouteOptions options, Handler handler) {
        return route(Method.DELETE, pattern, options, handler);
    }
}
