package dev.tenure.http;

/// Answers one exchange, on a virtual thread of its own.
///
/// **Owner:** the exchange's task owns whatever the handler opens into its scope. **Ends:** when it returns; the
/// returned [Response] is the one transfer point of the answer. **Threads:** many exchanges at once. **Fails:** an
/// exception becomes a status: its own for [HttpStatusException], a mapped one, else 500 without internals.
@FunctionalInterface
public interface Handler {
    /// Answers.
    ///
    /// @param exchange valid until the answer is complete
    /// @return the answer
    /// @throws Exception becomes a status
    Response handle(Exchange exchange) throws Exception;
}
