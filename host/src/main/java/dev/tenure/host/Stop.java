package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Reason;

/// What a component is told about the stop it takes part in.
///
/// **Threads:** any. All deadlines are on the host's clock; they are read anew at each call and only ever move
/// earlier.
public interface Stop {
    /// By when the present call should have returned. A few milliseconds before the host stops waiting for it.
    ///
    /// @return the deadline of this call
    Deadline deadline();

    /// When work in flight is cancelled: B-F.
    ///
    /// @return the end of the time for finishing
    Deadline forceAt();

    /// When the whole stop has ended.
    ///
    /// @return the root deadline
    Deadline budget();

    /// Who asked for the stop.
    ///
    /// @return the first request's reason
    Reason reason();

    /// Whether work in flight has been cancelled.
    ///
    /// @return true from B-F, or from a request for force, on
    boolean forced();
}
