package dev.tenure.http;

/// Sends server-sent events, on the handler's thread, inside its scope.
///
/// **Owner:** the exchange's task. **Ends:** by returning. It is cancelled when the client goes and when a stop
/// drains.
@FunctionalInterface
public interface EventProducer {
    /// Produces.
    ///
    /// @param events takes the events
    /// @throws Exception aborts the connection, unless a cancel ended the stream
    void produce(EventStream events) throws Exception;
}
