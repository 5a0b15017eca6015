package dev.tenure.sim;

import java.util.HashMap;
import java.util.Map;

/// A request to be given to a handler by [Sim#serve] or [Sim#exchange].
///
/// **Threads:** immutable.
public final class Request {
    private final String method;
    private final String path;
    private final String query;
    private final Map<String, String> headers;
    private final Map<String, String> parameters;
    private final byte[] bytes;

    private Request(Request other, Map<String, String> headers, Map<String, String> parameters, byte[] bytes) {
        this.method = other.method;
        this.path = other.path;
        this.query = other.query;
        this.headers = Map.copyOf(headers);
        this.parameters = Map.copyOf(parameters);
        this.bytes = bytes;
    }

    private Request(String method, String target) {
        int mark = target.indexOf('?');
        this.method = method;
        this.path = mark < 0 ? target : target.substring(0, mark);
        this.query = mark < 0 ? "" : target.substring(mark + 1);
        this.headers = Map.of();
        this.parameters = Map.of();
        this.bytes = new byte[0];
    }

    /// A request without a body.
    ///
    /// @param method such as `GET`
    /// @param target the path, and the query if there is one
    /// @return the request
    public static Request of(String method, String target) {
        return new Request(method, target);
    }

    /// A POST of a form.
    ///
    /// @param target the path, and the query if there is one
    /// @param form the body
    /// @return the request
    public static Request post(String target, Multipart form) {
        return of("POST", target).with("Content-Type", form.contentType()).body(form.bytes());
    }

    /// The same with a body.
    ///
    /// @param content its bytes
    /// @return the request
    public Request body(byte[] content) {
        return new Request(this, headers, parameters, content.clone());
    }

    /// The same with a header field.
    ///
    /// @param name its name
    /// @param value its value
    /// @return the request
    public Request with(String name, String value) {
        return new Request(this, added(headers, name, value), parameters, bytes);
    }

    /// The same with a value for a name of the route's pattern.
    ///
    /// @param name as in `{name}`
    /// @param value decoded
    /// @return the request
    public Request where(String name, String value) {
        return new Request(this, headers, added(parameters, name, value), bytes);
    }

    private static Map<String, String> added(Map<String, String> known, String name, String value) {
        var more = new HashMap<>(known);
        more.put(name, value);
        return more;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    String query() {
        return query;
    }

    /// Names the scope and the exchange in reports.
    String route() {
        return method + " " + path;
    }

    Map<String, String> headers() {
        return headers;
    }

    Map<String, String> parameters() {
        return parameters;
    }

    byte[] bytes() {
        return bytes;
    }
}
