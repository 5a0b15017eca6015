package dev.tenure.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.http.HttpCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An event as it was read. Used by one thread.
final class HttpEvent {
    private final List<Map.Entry<String, String>> fields = new ArrayList<>();
    private final List<String> cookies = new ArrayList<>();
    private String version = "";
    private String method = "";
    private String path = "";
    private String query = "";
    private String sourceIp = "";
    private String body = "";
    private boolean base64;

    void version(String text) {
        version = text;
    }

    void method(String text) {
        method = text;
    }

    void path(String text) {
        path = text;
    }

    void query(String text) {
        query = text;
    }

    void sourceIp(String text) {
        sourceIp = text;
    }

    void body(String text) {
        body = text;
    }

    void base64(boolean is) {
        base64 = is;
    }

    void cookie(String text) {
        cookies.add(text);
    }

    void field(String name, String value) {
        fields.add(Map.entry(name, value));
    }

    HttpEvent checked() {
        if (!version.equals("2.0")) {
            throw new MalformedEvent("version is " + (version.isEmpty() ? "missing" : "not 2.0"));
        }
        if (method.isEmpty()) {
            throw new MalformedEvent("requestContext.http.method is missing");
        }
        return this;
    }

    String method() {
        return method;
    }

    String path() {
        return path.isEmpty() ? "/" : path;
    }

    HttpCalls.Head head(String prefix) {
        var all = new ArrayList<>(fields);
        if (!cookies.isEmpty()) {
            all.removeIf(field -> field.getKey().equalsIgnoreCase("cookie"));
            all.add(Map.entry("cookie", String.join("; ", cookies)));
        }
        var target = Targets.path(below(prefix)) + (query.isEmpty() ? "" : "?" + Targets.query(query));
        return new HttpCalls.Head(method, target, all, peer());
    }

    private String below(String prefix) {
        var whole = path();
        if (!whole.startsWith(prefix)) {
            return whole;
        }
        var rest = whole.substring(prefix.length());
        if (rest.isEmpty()) {
            return "/";
        }
        return rest.startsWith("/") ? rest : whole;
    }

    private Optional<InetSocketAddress> peer() {
        try {
            return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(sourceIp), 0));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    byte[] body() {
        if (!base64) {
            return body.getBytes(UTF_8);
        }
        try {
            return Base64.getDecoder().decode(body);
        } catch (IllegalArgumentException wrong) {
            throw new MalformedEvent("body is not base64", wrong);
        }
    }
}
