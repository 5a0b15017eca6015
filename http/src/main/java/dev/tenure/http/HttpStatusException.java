package dev.tenure.http;

import dev.tenure.http.internal.wire.Reasons;

/// Thrown by a handler to answer with a status.
///
/// The detail is sent to the client as it is, so it must not tell internals. **Fails:** is itself a failure; the
/// answer's connection is kept where it can be.
public sealed class HttpStatusException extends RuntimeException permits BodyTooLarge {
    private static final long serialVersionUID = 1L;

    private final int status;

    /// An answer with a status and a sentence.
    ///
    /// @param status 400 to 599
    /// @param detail for the client; empty for none
    public HttpStatusException(int status, String detail) {
        super(detail);
        this.status = checked(status);
    }

    /// An answer with a status, a sentence, and a cause for the log.
    ///
    /// @param status 400 to 599
    /// @param detail for the client; empty for none
    /// @param cause what happened; never sent
    public HttpStatusException(int status, String detail, Throwable cause) {
        super(detail, cause);
        this.status = checked(status);
    }

    private static int checked(int status) {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 400 to 599)");
        }
        return status;
    }

    /// The status to answer with.
    ///
    /// @return 400 to 599
    public int status() {
        return status;
    }

    /// The sentence for the client.
    ///
    /// @return the detail, or the status's own phrase
    public String detail() {
        String said = getMessage();
        return said == null || said.isEmpty() ? Reasons.phrase(status) : said;
    }
}
