package dev.tenure.host;

/// How long what a process opens may live: the composition root decides, modules do not know.
///
/// **Source:** design 4, S7.
public enum DeploymentPolicy {
    /// A process that serves many activities, at once and for long: what it opens is reused, and closed once, at the
    /// stop.
    PERSISTENT,
    /// A process that may be frozen or killed after each activity: one activity at a time, and what was opened is
    /// closed in it, after its background work. Nothing may work by itself: no listener, no worker, no background
    /// service.
    REQUEST_ISOLATED
}
