package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.wire.WireLimits;

/// What a connection may cost, and how long each step may take.
///
/// @param wire of heads
/// @param clocks nanoseconds
/// @param sizes bytes
/// @param finMeansGone whether a FIN counts as a reset
public record EngineLimits(WireLimits wire, Clocks clocks, Sizes sizes, boolean finMeansGone) {
    /// How long each step may take.
    ///
    /// @param header from the first byte of a head, or the start of the connection, to its last: 408
    /// @param bodyIdle without a byte of a body that is waited for: 408
    /// @param writeIdle in which the peer takes less than `writeMin` of what waits for it
    /// @param keepAlive without a request
    /// @param linger after our FIN
    /// @param heartbeat without an event on an event stream
    /// @param stopGrace without activity, while draining
    public record Clocks(
            long header, long bodyIdle, long writeIdle, long keepAlive, long linger, long heartbeat, long stopGrace) {}

    /// What may wait.
    ///
    /// @param bodyQueueMax of a request body its handler has not read
    /// @param discardMax of a request body nobody reads, to keep the connection
    /// @param pipelineMax of later requests
    /// @param writeMin of an answer, taken in each `writeIdle` by a peer for which output waits
    public record Sizes(int bodyQueueMax, int discardMax, int pipelineMax, long writeMin) {}
}
