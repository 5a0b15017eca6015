package dev.tenure.http;

import java.io.IOException;

/// Where an [EventProducer] sends server-sent events.
///
/// **Owner:** the exchange. **Ends:** when the producer returns, the client goes, or a stop drains: then the client
/// gets a last event `draining`. **Threads:** the producer's alone. **Limits:** heartbeats go out by themselves; the
/// exchange's deadline does not apply, the write-idle time does. **Fails:** `Cancelled` once it has ended.
public interface EventStream {
    /// Sends an event of the default name.
    ///
    /// @param data may have several lines
    /// @throws IOException the client went
    void send(String data) throws IOException;

    /// Sends an event.
    ///
    /// @param name one line
    /// @param data may have several lines
    /// @throws IOException the client went
    void send(String name, String data) throws IOException;

    /// Whether the server is stopping.
    ///
    /// @return true for good
    boolean stopping();
}
