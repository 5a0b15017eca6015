package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Why bytes were refused: the status to answer with, and the rule or the limit that they broke.
///
/// The sentence never quotes the input, so that it is safe to print and to send. **Threads:** immutable. **Source:**
/// RFC 9112.
public final class Refusal {
    private final int status;
    private final String why;
    private final byte[] body;

    /// A refusal.
    ///
    /// @param status the status of the answer, after which the connection ends
    /// @param why which rule or limit, for the client and the log
    public Refusal(int status, String why) {
        this.status = status;
        this.why = why;
        this.body = (status + " " + why + "\n").getBytes(UTF_8);
    }

    static Refusal bad(String why) {
        return new Refusal(400, why);
    }

    /// The status of the answer.
    ///
    /// @return 400 to 599
    public int status() {
        return status;
    }

    /// Which rule or limit.
    ///
    /// @return a sentence without internals
    public String why() {
        return why;
    }

    /// The body of the answer, plain text.
    ///
    /// @return the same array each time, not to be written to
    public byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return status + " " + why;
    }
}
