package dev.tenure.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.http.internal.wire.Reasons;

/// Error bodies, which carry no internals.
final class ErrorText {
    private ErrorText() {}

    static Response of(int status) {
        return Response.status(status).text(line(status));
    }

    static Response of(int status, byte[] text) {
        return Response.status(status).type("text/plain; charset=utf-8").bytes(text);
    }

    static byte[] bytes(int status, String id) {
        return (line(status) + "id: " + id + "\n").getBytes(UTF_8);
    }

    private static String line(int status) {
        return (status + " " + Reasons.phrase(status)).strip() + "\n";
    }
}
