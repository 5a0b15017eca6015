package dev.tenure.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/// Events as API Gateway sends them.
final class Events {
    private Events() {}

    static String of(String method, String path) {
        return of(method, path, "");
    }

    /// @param more members of the event, each with a comma before it
    static String of(String method, String path, String more) {
        return """
                {"version": "2.0", "routeKey": "$default", "rawPath": "%s", "rawQueryString": "",
                 "headers": {"host": "id.lambda-url.example", "accept": "a/b,c/d", "content-length": "7"},
                 "requestContext": {"accountId": "1", "stage": "$default", "time": "30/Nov/2026:18:00:00 +0000",
                   "http": {"method": "%s", "path": "%s", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.7",
                            "userAgent": "test"}},
                 "isBase64Encoded": false%s}""".formatted(path, method, path, more);
    }

    static String text(String method, String path, String body) {
        return of(method, path, ", \"body\": \"" + body + "\"");
    }

    static String bytes(String method, String path, byte[] body) {
        var encoded = Base64.getEncoder().encodeToString(body);
        return text(method, path, encoded).replace("\"isBase64Encoded\": false", "\"isBase64Encoded\": true");
    }

    static byte[] utf8(String event) {
        return event.getBytes(UTF_8);
    }
}
