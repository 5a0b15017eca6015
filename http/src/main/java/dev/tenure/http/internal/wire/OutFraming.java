package dev.tenure.http.internal.wire;

/// How a client finds the end of a response. **Source:** RFC 9112 section 6.
public enum OutFraming {
    /// There is no body, whatever the fields say.
    NONE,
    /// By Content-Length.
    LENGTH,
    /// By the last chunk.
    CHUNKED,
    /// By the end of the connection: a client of HTTP/1.0.
    UNTIL_CLOSE
}
