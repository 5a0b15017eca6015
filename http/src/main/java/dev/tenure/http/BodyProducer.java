package dev.tenure.http;

/// Writes the body of a streamed response, on the handler's thread, inside its scope.
///
/// **Owner:** the exchange's task. **Ends:** by returning, which completes the response; by throwing, which aborts
/// the connection so that the client sees no whole answer. It is never run for HEAD, so what it needs is best opened
/// in it.
@FunctionalInterface
public interface BodyProducer {
    /// Produces.
    ///
    /// @param out takes the bytes
    /// @throws Exception aborts the connection
    void produce(BodyWriter out) throws Exception;
}
