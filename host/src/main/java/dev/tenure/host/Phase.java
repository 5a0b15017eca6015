package dev.tenure.host;

/// The phases of a stop, in their order. None begins before the one above it has ended or used up its share.
///
/// **Source:** design 4.
public enum Phase {
    /// Tell the outside that no new work should be sent. Readiness is down already and never rises again. All at
    /// once.
    READINESS_DOWN,
    /// Take nothing new. One component after the other, in reverse order of registration, users before what they
    /// use.
    STOP_ADMISSION,
    /// Let what was admitted end, until force. In reverse order of registration, each call is started when the
    /// thread of the one before runs; all are awaited together.
    DRAIN_IN_FLIGHT,
    /// Close what the work stood on. One after the other, like [#STOP_ADMISSION].
    DISPOSE_DEPENDENCIES,
    /// Send out what was recorded. All at once; the report can still be read afterwards.
    FLUSH_TELEMETRY
}
