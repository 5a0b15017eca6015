package dev.tenure.core;

/// How a cancel reaches a task's thread.
public enum CancelMode {
    /// Sets the flag, runs the hooks and interrupts the thread unless it is masked.
    INTERRUPT,
    /// Sets the flag and runs the hooks. For code on file channels, sockets or embedded databases that an interrupt
    /// would
    /// close.
    SIGNAL
}
