package dev.tenure.http.internal.wire;

/// Why bytes were refused: the status to answer with, and a sentence for the log.
///
/// The sentence never quotes the input, so that it is safe to print. **Source:** RFC 9112.
///
/// @param status the status of the answer, after which the connection ends
/// @param why what is wrong, for the log alone
public record Refusal(int status, String why) {
    static Refusal bad(String why) {
        return new Refusal(400, why);
    }
}
