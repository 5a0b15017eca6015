package dev.tenure.host;

/// The host takes nothing new since it stops or has stopped: a part, an activity or a service came too
/// late.
///
/// Not a failure of the program: [Host#exitCode] waits for the report of the stop and answers its code.
///
/// **Threads:** the caller's. **Held:** nothing: what was opened meanwhile is closed. **Source:**
/// design 4.
public final class HostStopping extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The host, to ask for its report; an exception of ours is not sent anywhere.
    private final transient Host host;

    HostStopping(Host host, String what) {
        super("host '%s': %s was refused: it stops, by %s".formatted(host.name(), what, host.trigger()));
        this.host = host;
    }

    /// The host that refused.
    ///
    /// @return the host
    public Host host() {
        return host;
    }
}
