package dev.tenure.core;

import java.util.concurrent.CancellationException;

/// Tells the code of a cancelled scope to come to its end. A messenger without power: the outcome of a task is computed
/// from its scope and its result, and a swallowed `Cancelled` comes again at the next checkpoint.
///
/// It carries no stack trace and outranks no failure (Law 9).
public final class Cancelled extends CancellationException {
    private static final long serialVersionUID = 1L;

    /// Why; a plain record without state of its own.
    private final transient Reason reason;

    /// A messenger for this reason.
    ///
    /// @param reason why
    public Cancelled(Reason reason) {
        super("cancelled: " + reason);
        this.reason = reason;
        if (reason.failure() != null) {
            initCause(reason.failure());
        }
    }

    /// Why.
    ///
    /// @return the reason
    public Reason reason() {
        return reason;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
