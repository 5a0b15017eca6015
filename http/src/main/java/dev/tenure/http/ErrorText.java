package dev.tenure.http;

import dev.tenure.http.internal.wire.Reasons;

/// Error bodies, which carry no internals.
final class ErrorText {
    private ErrorText() {}

    static Response of(int status) {
        return Response.status(status).text(line(status));
    }

    static Response of(int status, String id) {
        return Response.status(status).text(line(status) + "id: " + id + "\n");
    }

    private static String line(int status) {
        return (status + " " + Reasons.phrase(status)).strip() + "\n";
    }
}
