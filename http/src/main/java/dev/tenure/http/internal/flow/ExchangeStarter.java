package dev.tenure.http.internal.flow;

import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.wire.RequestHead;
import java.util.function.Consumer;

/// Starts handlers, and is told how exchanges end. Called on event loops: short, never blocking.
public interface ExchangeStarter {
    /// Starts the handler of a request in a task of its own.
    ///
    /// @param port the exchange
    /// @param head the request
    /// @param plan what the planner said
    /// @return cancels the task; does not wait
    Consumer<Cause> start(ExchangePort port, RequestHead head, Plan.Task plan);

    /// An exchange has retired.
    ///
    /// @param end how
    void retired(End end);

    /// A request was refused before any handler, or an exchange by the engine.
    ///
    /// @param status the answer
    /// @param why for the log
    void refused(int status, String why);

    /// Something failed that nobody else is told of.
    ///
    /// @param what where
    /// @param failure what happened
    void failed(String what, Throwable failure);
}
